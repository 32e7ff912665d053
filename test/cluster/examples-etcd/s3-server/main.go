// An S3 server in memory, for tests: gofakes3 on a free port of the loopback interface. It prints its address, and ends when its standard input does.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

func main() {
	backend := s3mem.New()
	for _, bucket := range os.Args[1:] {
		if err := backend.CreateBucket(bucket); err != nil {
			fail(err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail(err)
	}
	server := gofakes3.New(backend)
	go func() { fail(http.Serve(listener, server.Server())) }()
	fmt.Printf("http://%s\n", listener.Addr())
	// The pipe ends with the process that holds it, whatever way that goes.
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

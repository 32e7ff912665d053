// The process that holds the namespaces of a Pod open: it waits for its end, and reaps orphans if the containers share its process namespace.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCHLD)
	for received := range signals {
		if received != syscall.SIGCHLD {
			return
		}
		for {
			if child, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); child <= 0 || err != nil {
				break
			}
		}
	}
}

// Command controller-runtime does to an API server what operators written in Go do, and reports what it saw as JSON.
//
// It knows nothing of the server it talks to: two servers that behave alike get the same report. It ends with 0 as soon as there is a report, whether or
// not the checks passed.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

// Long enough for a machine under load; a check that passes needs a fraction of it.
const checkTimeout = 60 * time.Second

// group is a part of an operator's life: its checks build on each other, and groups do not.
type group struct {
	name string
	run  func(ctx context.Context, t *checks) error
}

var groups = []group{
	{"discovery", discoveryChecks},
	{"definitions", definitionChecks},
	{"objects", objectChecks},
	{"patches", patchChecks},
	{"apply", applyChecks},
	{"lists", listChecks},
	{"watches", watchChecks},
	{"informers", informerChecks},
	{"subresources", subresourceChecks},
	{"leader election", leaderChecks},
	{"webhooks", webhookChecks},
	{"manager", managerChecks},
}

// clusterGroups need the garbage collector and the namespace controller.
var clusterGroups = []group{
	{"owners", ownerChecks},
	{"namespaces", namespaceChecks},
}

// result is one line of the report.
type result struct {
	Name   string   `json:"name"`
	Passed bool     `json:"passed"`
	Error  string   `json:"error,omitempty"`
	Saw    []string `json:"saw,omitempty"`
}

// checks collects the results of one group.
type checks struct {
	group   string
	config  *rest.Config
	results *[]result
	saw     []string
}

// saw notes something that must be the same on every server: an error's text, a count, a condition.
func (t *checks) see(format string, arguments ...any) {
	t.saw = append(t.saw, fmt.Sprintf(format, arguments...))
}

// check runs one check; a failure does not keep the later ones from running.
func (t *checks) check(ctx context.Context, name string, run func(ctx context.Context) error) {
	bounded, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	t.saw = nil
	entry := result{Name: t.group + ": " + name, Passed: true}
	if err := run(bounded); err != nil {
		entry.Passed, entry.Error = false, err.Error()
	}
	entry.Saw = t.saw
	*t.results = append(*t.results, entry)
	fmt.Fprintf(os.Stderr, "%v %s %s\n", entry.Passed, entry.Name, entry.Error)
}

func main() {
	kubeconfig := flag.String("kubeconfig-file", "", "kubeconfig of an administrator")
	only := flag.String("only", "", "name of the one group to run")
	controllers := flag.Bool("controllers", false, "run the groups that need controllers, instead of those that need none")
	flag.Parse()
	// What the libraries log is for people; failures are in the report.
	ctrl.SetLogger(logr.Discard())
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	config.QPS, config.Burst = 500, 1000
	results := []result{}
	chosen := groups
	if *controllers {
		chosen = clusterGroups
	}
	for _, each := range chosen {
		if *only != "" && *only != each.name {
			continue
		}
		runGroup(config, each, &results)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(results); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func runGroup(config *rest.Config, each group, results *[]result) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	t := &checks{group: each.name, config: rest.CopyConfig(config), results: results}
	t.check(ctx, "namespace", func(ctx context.Context) error { return makeNamespace(ctx, t) })
	if err := each.run(ctx, t); err != nil {
		*results = append(*results, result{Name: each.name + ": set up", Error: err.Error()})
	}
}

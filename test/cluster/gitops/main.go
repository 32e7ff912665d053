// Command health judges objects as GitOps tools do: by Flux' kstatus, and by a script of Argo CD's kind. It reads a JSON list of objects and scripts from
// standard input and writes a JSON list of verdicts.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	lua "github.com/yuin/gopher-lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type question struct {
	Object map[string]any `json:"object"`
	Script string         `json:"script"`
}

type verdict struct {
	Flux       string `json:"flux"`
	ArgoCD     string `json:"argoCD"`
	FluxText   string `json:"fluxText"`
	ArgoCDText string `json:"argoCDText"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var questions []question
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		return err
	}
	verdicts := make([]verdict, 0, len(questions))
	for _, asked := range questions {
		judged, err := judge(asked)
		if err != nil {
			return err
		}
		verdicts = append(verdicts, judged)
	}
	return json.NewEncoder(os.Stdout).Encode(verdicts)
}

func judge(asked question) (verdict, error) {
	// Numbers of JSON are int64 in unstructured objects, where they are whole.
	data, err := json.Marshal(asked.Object)
	if err != nil {
		return verdict{}, err
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(data); err != nil {
		return verdict{}, err
	}
	computed, err := status.Compute(object)
	if err != nil {
		return verdict{}, err
	}
	health, message, err := scripted(asked)
	return verdict{Flux: string(computed.Status), FluxText: computed.Message, ArgoCD: health, ArgoCDText: message}, err
}

// scripted runs a script with the libraries that Argo CD opens for scripts of health.
func scripted(asked question) (string, string, error) {
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	for _, library := range []struct {
		name string
		open lua.LGFunction
	}{{lua.BaseLibName, lua.OpenBase}, {lua.TabLibName, lua.OpenTable}} {
		if err := state.CallByParam(lua.P{Fn: state.NewFunction(library.open), Protect: true}, lua.LString(library.name)); err != nil {
			return "", "", err
		}
	}
	state.SetGlobal("obj", valueOf(state, asked.Object))
	if err := state.DoString(asked.Script); err != nil {
		return "", "", err
	}
	result, isTable := state.Get(-1).(*lua.LTable)
	if !isTable {
		return "", "", fmt.Errorf("the script returned %s", state.Get(-1).Type())
	}
	return lua.LVAsString(result.RawGetString("status")), lua.LVAsString(result.RawGetString("message")), nil
}

func valueOf(state *lua.LState, value any) lua.LValue {
	switch typed := value.(type) {
	case bool:
		return lua.LBool(typed)
	case float64:
		return lua.LNumber(typed)
	case string:
		return lua.LString(typed)
	case []any:
		table := state.CreateTable(len(typed), 0)
		for _, item := range typed {
			table.Append(valueOf(state, item))
		}
		return table
	case map[string]any:
		table := state.CreateTable(0, len(typed))
		for key, item := range typed {
			table.RawSetString(key, valueOf(state, item))
		}
		return table
	default:
		return lua.LNil
	}
}

// Judges whether a history of reads and writes is linearizable, with porcupine.
//
// Standard input has one operation in each line, as JSON: see `operation`. The verdict is one line of JSON: {"verdict":"ok"}, "violation" with the keys, or "unknown"
// when the time that the first argument gives (as 60s) was not enough. A history that cannot be judged ends the program with code 2.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// One call of a client, about one key. A key that is not there has the value "".
type operation struct {
	Client int    `json:"client"`
	Key    string `json:"key"`
	// get, put, or cas: a compare-and-swap.
	Do string `json:"do"`
	// Of a get: what it found. Of a put and a cas: what it writes, which no other operation on this key writes.
	Value string `json:"value"`
	// Of a cas: the value for which it asks.
	Expected string `json:"expected"`
	// Of a cas that has an answer: whether it wrote.
	Succeeded bool `json:"succeeded"`
	// Of a cas that did not write: what it found.
	Found string `json:"found"`
	// Nanoseconds of one clock.
	Call int64 `json:"call"`
	// Absent when the outcome is not known.
	Return *int64 `json:"return"`
}

type verdict struct {
	Verdict    string   `json:"verdict"`
	Operations int      `json:"operations"`
	Keys       []string `json:"keys,omitempty"`
}

func main() {
	limit, err := time.ParseDuration(os.Args[1])
	if err != nil {
		fail(err)
	}
	history, err := read(bufio.NewReaderSize(os.Stdin, 1<<20))
	if err != nil {
		fail(err)
	}
	result, err := judged(history, limit)
	if err != nil {
		fail(err)
	}
	_ = json.NewEncoder(os.Stdout).Encode(result)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

func read(source *bufio.Reader) ([]*operation, error) {
	var all []*operation
	decoder := json.NewDecoder(source)
	decoder.DisallowUnknownFields()
	for decoder.More() {
		one := &operation{}
		if err := decoder.Decode(one); err != nil {
			return nil, fmt.Errorf("operation %d: %w", len(all)+1, err)
		}
		if one.Do != "get" && one.Do != "put" && one.Do != "cas" {
			return nil, fmt.Errorf("operation %d: do is %q, and can be get, put or cas", len(all)+1, one.Do)
		}
		all = append(all, one)
	}
	return all, nil
}

// Each key by itself: a history is linearizable if that of each key is.
func judged(all []*operation, limit time.Duration) (verdict, error) {
	byKey := map[string][]*operation{}
	for _, one := range all {
		byKey[one.Key] = append(byKey[one.Key], one)
	}
	result := verdict{Verdict: "ok"}
	deadline := time.Now().Add(limit)
	for key, history := range byKey {
		decided, err := decided(history)
		if err != nil {
			return result, fmt.Errorf("key %s: %w", key, err)
		}
		result.Operations += len(decided)
		// Without a limit porcupine takes 0 for none.
		left := max(time.Until(deadline), time.Millisecond)
		switch porcupine.CheckOperationsTimeout(register, decided, left) {
		case porcupine.Illegal:
			result.Verdict = "violation"
			result.Keys = append(result.Keys, key)
		case porcupine.Unknown:
			if result.Verdict == "ok" {
				result.Verdict = "unknown"
			}
		}
	}
	sort.Strings(result.Keys)
	return result, nil
}

// Decides the operations of unknown outcome, so that porcupine need not try all possibilities.
//
// No two operations write the same value. If somebody has seen the value of such a write, it was done, before that somebody had his answer. If nobody has,
// it can stand at the very end, after everything else, where it constrains nothing: it is left out. So is a read without an answer.
func decided(history []*operation) ([]porcupine.Operation, error) {
	writers := map[string]*operation{}
	for _, one := range history {
		if one.Do == "get" {
			continue
		}
		if one.Value == "" || writers[one.Value] != nil {
			return nil, fmt.Errorf("the value %q is written twice, or is empty: outcomes that are not known could not be told apart", one.Value)
		}
		writers[one.Value] = one
	}
	known := make([]*operation, 0, len(history))
	for _, one := range history {
		if one.Return != nil {
			known = append(known, one)
		}
	}
	// It grows: a cas that was done has seen the value that it asked for.
	for at := 0; at < len(known); at++ {
		value, answered := seenBy(known[at]), *known[at].Return
		writer := writers[value]
		if writer == nil {
			continue
		}
		if writer.Return == nil {
			latest := answered
			writer.Return = &latest
			writer.Succeeded = true
			known = append(known, writer)
		}
	}
	operations := make([]porcupine.Operation, len(known))
	for at, one := range known {
		operations[at] = porcupine.Operation{ClientId: one.Client, Input: *one, Call: one.Call, Return: max(*one.Return, one.Call)}
	}
	return operations, nil
}

// The value that an operation has seen.
func seenBy(one *operation) string {
	switch {
	case one.Do == "get":
		return one.Value
	case one.Do == "cas" && one.Succeeded:
		return one.Expected
	case one.Do == "cas":
		return one.Found
	default:
		return ""
	}
}

// A register: its state is its value.
var register = porcupine.Model{
	Init: func() interface{} { return "" },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		one := input.(operation)
		switch {
		case one.Do == "put":
			return true, one.Value
		case one.Do == "get":
			return state == one.Value, state
		case one.Succeeded:
			return state == one.Expected, one.Value
		default:
			return state == one.Found && state != one.Expected, state
		}
	},
}

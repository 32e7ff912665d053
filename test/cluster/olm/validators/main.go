// Command bundles judges folders of OLM bundles by the validators of OLM itself: those of its API library, which operator-sdk and catalogs run, and those of
// its registry library, which run before a bundle is taken into a catalog. It writes a JSON list with the findings of each folder.
//
//	bundles FOLDER ...      the findings
//	bundles -definitions    the CustomResourceDefinition of ClusterServiceVersions, as OLM installs it
package main

import (
	"encoding/json"
	stderrors "errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/operator-framework/api/crds"
	"github.com/operator-framework/api/pkg/apis/scorecard/v1alpha3"
	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"
	"github.com/operator-framework/api/pkg/validation/errors"
	interfaces "github.com/operator-framework/api/pkg/validation/interfaces"
	"github.com/operator-framework/operator-registry/pkg/lib/bundle"
	"github.com/sirupsen/logrus"
	"sigs.k8s.io/yaml"
)

// target is the Kubernetes version for which removed APIs are looked for: the last one that the library knows of.
var target = map[string]string{"k8s-version": "1.26"}

type finding struct {
	Validator string `json:"validator"`
	Level     string `json:"level"`
	Text      string `json:"text"`
}

type verdict struct {
	Folder   string    `json:"folder"`
	Findings []finding `json:"findings"`
}

type validator struct {
	name  string
	judge interfaces.Validator
}

var validators = []validator{
	{"csv", validation.ClusterServiceVersionValidator},
	{"crd", validation.CustomResourceDefinitionValidator},
	{"bundle", validation.BundleValidator},
	{"operatorhub/v2", validation.OperatorHubV2Validator},
	{"standardcapabilities", validation.StandardCapabilitiesValidator},
	{"standardcategories", validation.StandardCategoriesValidator},
	{"object", validation.ObjectValidator},
	{"community", validation.CommunityOperatorValidator},
	{"alpha-deprecated-apis", validation.AlphaDeprecatedAPIsValidator},
	{"good-practices", validation.GoodPracticesValidator},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	logrus.SetOutput(io.Discard)
	encoder := json.NewEncoder(os.Stdout)
	if len(arguments) == 1 && arguments[0] == "-definitions" {
		return encoder.Encode(crds.ClusterServiceVersion())
	}
	verdicts := make([]verdict, 0, len(arguments))
	for _, folder := range arguments {
		verdicts = append(verdicts, verdict{folder, slices.Concat(registryFindings(folder), libraryFindings(folder), scorecardFindings(folder))})
	}
	return encoder.Encode(verdicts)
}

// registryFindings are what keeps a bundle out of catalogs.
func registryFindings(folder string) []finding {
	judge := bundle.NewImageValidator(nil, logrus.NewEntry(logrus.StandardLogger()))
	format := guarded("registry-format", func() []finding { return failures("registry-format", judge.ValidateBundleFormat(folder)) })
	content := guarded("registry-content", func() []finding {
		return failures("registry-content", judge.ValidateBundleContent(filepath.Join(folder, bundle.ManifestsDir)))
	})
	return append(format, content...)
}

// scorecardFindings are what keeps operator-sdk from reading which tests to run: a field that the configuration has not, or no tests.
func scorecardFindings(folder string) []finding {
	text, err := os.ReadFile(filepath.Join(folder, "tests/scorecard/config.yaml"))
	if err != nil {
		return failures("scorecard", err)
	}
	var configuration v1alpha3.Configuration
	if err := yaml.UnmarshalStrict(text, &configuration); err != nil {
		return failures("scorecard", err)
	}
	if configuration.GroupVersionKind() != v1alpha3.GroupVersion.WithKind("Configuration") {
		return []finding{{"scorecard", errors.LevelError, fmt.Sprintf("is a %s", configuration.GroupVersionKind())}}
	}
	for _, stage := range configuration.Stages {
		if len(stage.Tests) > 0 {
			return nil
		}
	}
	return []finding{{"scorecard", errors.LevelError, "it has no tests"}}
}

// guarded is what a validator says. One that breaks down over a bundle breaks down in operator-sdk and opm too: that is a finding, not the end.
func guarded(name string, judge func() []finding) (findings []finding) {
	defer func() {
		if broken := recover(); broken != nil {
			findings = append(findings, finding{name, errors.LevelError, fmt.Sprintf("breaks down: %v", broken)})
		}
	}()
	return judge()
}

func failures(name string, err error) []finding {
	if err == nil {
		return nil
	}
	var listed bundle.ValidationError
	if !stderrors.As(err, &listed) {
		return []finding{{name, errors.LevelError, err.Error()}}
	}
	found := make([]finding, 0, len(listed.Errors))
	for _, each := range listed.Errors {
		found = append(found, finding{name, errors.LevelError, each.Error()})
	}
	return found
}

func libraryFindings(folder string) []finding {
	found, err := manifests.GetBundleFromDir(folder)
	if err != nil {
		return []finding{{"load", errors.LevelError, err.Error()}}
	}
	findings := []finding{}
	for _, each := range validators {
		findings = append(findings, guarded(each.name, func() []finding { return judged(each, found) })...)
	}
	// What consoles and OLM take from annotations.yaml is read beside the bundle, and must have been found.
	if found.DefaultChannel == "" {
		findings = append(findings, finding{"load", errors.LevelError, "no default channel was read from the annotations"})
	}
	return findings
}

func judged(each validator, found *manifests.Bundle) []finding {
	findings := []finding{}
	for _, result := range each.judge.Validate(append(found.ObjectsToValidate(), target)...) {
		for _, problem := range append(result.Errors, result.Warnings...) {
			findings = append(findings, finding{each.name, string(problem.Level), problem.Error()})
		}
	}
	return findings
}

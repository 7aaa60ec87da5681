package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	coreconfig "github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"
	"gopkg.in/yaml.v3"
)

func writeSecrets(version, file string) {
	contract, err := coreconfig.ParseContractFromVersion(version)
	if err != nil {
		fail(err)
	}

	bundle, err := secrets.NewBundle(secrets.NewClock(), contract)
	if err != nil {
		fail(err)
	}

	text, err := yaml.Marshal(bundle)
	if err != nil {
		fail(err)
	}

	if err := os.WriteFile(file, text, 0o600); err != nil {
		fail(err)
	}
}

// judgeSecrets loads the bundles that ours generated, and those of the library that ours read and wrote again.
func (c *court) judgeSecrets(folder string) {
	for _, file := range filesIn(folder, "bundle-*.yaml") {
		c.verdict("secrets: "+filepath.Base(file), bundleProblems(file))
	}

	c.verdict("secrets: the library's bundle, read and written by ours, says the same",
		sameYAML(filepath.Join(folder, "secrets.yaml"), filepath.Join(folder, "rewritten-secrets.yaml")))
}

func bundleProblems(file string) []string {
	bundle, err := secrets.LoadBundle(file)
	if err != nil {
		return []string{err.Error()}
	}

	if err := validate(bundle); err != nil {
		return []string{err.Error()}
	}

	return nil
}

// validate calls the library's own check, where that release has one; its arguments differ between releases.
func validate(bundle *secrets.Bundle) error {
	method := reflect.ValueOf(bundle).MethodByName("Validate")
	if !method.IsValid() {
		return nil
	}

	arguments := make([]reflect.Value, method.Type().NumIn())
	for i := range arguments {
		arguments[i] = reflect.Zero(method.Type().In(i))
	}

	err, _ := method.Call(arguments)[0].Interface().(error)

	return err
}

func sameYAML(one, other string) []string {
	read := func(file string) any {
		text, err := os.ReadFile(file)
		if err != nil {
			fail(err)
		}

		var value any

		if err := yaml.Unmarshal(text, &value); err != nil {
			fail(err)
		}

		return value
	}

	if left, right := read(one), read(other); !reflect.DeepEqual(left, right) {
		return []string{fmt.Sprintf("%s and %s differ", filepath.Base(one), filepath.Base(other))}
	}

	return nil
}

// Judges configs with Talos's own library: reads a JSON list of configs, writes a JSON list of complaints, empty where it has none.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	configmachine "github.com/siderolabs/talos/pkg/machinery/config/machine"
)

// cloud is the mode of a nocloud machine.
type cloud struct{}

func (cloud) String() string        { return "cloud" }
func (cloud) RequiresInstall() bool { return false }
func (cloud) InContainer() bool     { return false }

func main() {
	switch os.Args[1] {
	case "generate":
		generated()
	case "judge":
		judged(os.Args[2])
	}
}

// generated writes the configs that the library makes for a new cluster.
func generated() {
	input, err := generate.NewInput("dev", "https://10.5.0.2:6443", "1.36.3")
	if err != nil {
		panic(err)
	}

	made := map[string]string{}

	for _, kind := range []configmachine.Type{configmachine.TypeControlPlane, configmachine.TypeWorker} {
		config, err := input.Config(kind)
		if err != nil {
			panic(err)
		}

		text, err := config.EncodeString()
		if err != nil {
			panic(err)
		}

		made[kind.String()] = text
	}

	write(made)
}

func judged(file string) {
	bytes, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}

	var configs []string

	if err = json.Unmarshal(bytes, &configs); err != nil {
		panic(err)
	}

	complaints := make([]string, len(configs))

	for n, text := range configs {
		if err := complaint(text); err != nil {
			complaints[n] = err.Error()
		}
	}

	write(complaints)
}

// complaint is what the library says; where it breaks down over a config, that is kept apart from a refusal.
func complaint(text string) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("panic: %v", broken)
		}
	}()

	provider, err := configloader.NewFromBytes([]byte(text))
	if err != nil {
		return err
	}

	_, err = provider.Validate(cloud{})

	return err
}

func write(value any) {
	if err := json.NewEncoder(os.Stdout).Encode(value); err != nil {
		panic(err)
	}
}

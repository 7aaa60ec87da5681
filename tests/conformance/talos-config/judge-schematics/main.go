// Judges our schematic ids by the Image Factory's own package.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/siderolabs/image-factory/pkg/schematic"
)

type schematicCase struct {
	Name      string          `json:"name"`
	Schematic json.RawMessage `json:"schematic"`
	Yaml      string          `json:"yaml"`
	ID        string          `json:"id"`
}

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail(err)
	}

	var cases []schematicCase

	if err := json.Unmarshal(data, &cases); err != nil {
		fail(err)
	}

	failed := 0

	for _, one := range cases {
		if problem := problemOf(one); problem != "" {
			failed++

			fmt.Printf("FAIL schematic: %s\n     %s\n", one.Name, problem)
		}
	}

	fmt.Printf("schematics: %d passed, %d failed\n", len(cases)-failed, failed)
}

// problemOf lets the factory read the schematic as JSON says it, and as our YAML does; both must have our id.
func problemOf(one schematicCase) string {
	for _, text := range []string{string(one.Schematic), one.Yaml} {
		parsed, err := schematic.Unmarshal([]byte(text))
		if err != nil {
			return "the factory does not read it: " + err.Error()
		}

		id, err := parsed.ID()
		if err != nil {
			return err.Error()
		}

		if id != one.ID {
			canonical, _ := parsed.Marshal()

			return fmt.Sprintf("ours %s, the factory's %s of:\n%s", one.ID, id, canonical)
		}
	}

	return ""
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

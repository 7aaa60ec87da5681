package main

import (
	"fmt"

	coreconfig "github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/configpatcher"
)

type patchCase struct {
	Name    string   `json:"name"`
	Config  string   `json:"config"`
	Patches []string `json:"patches"`
	// What ours gave: a config, or the words of its refusal.
	Ours    string `json:"ours"`
	Refusal string `json:"refusal"`
}

func (c *court) judgePatches(folder string) {
	for _, file := range filesIn(folder, "patch-*.json") {
		var one patchCase

		readJSON(file, &one)
		c.verdict("patch: "+one.Name, c.patchProblems(one))
	}
}

func (c *court) patchProblems(one patchCase) []string {
	theirs, refusal := patched(one)

	switch {
	case refusal != nil && one.Refusal != "":
		return nil
	case refusal != nil:
		return c.unlessKnown(one, "(refusal)", "the library refuses: "+refusal.Error())
	case one.Refusal != "" && len(validationProblems(theirs)) > 0: // ours refuses at once what a node would refuse
		return nil
	case one.Refusal != "":
		return c.unlessKnown(one, "(refusal)", "ours refuses: "+one.Refusal)
	}

	ours, err := configloader.NewFromBytes([]byte(one.Ours))
	if err != nil {
		return []string{"what ours gave does not load: " + err.Error()}
	}

	found, err := differences(ours, theirs)
	if err != nil {
		return []string{err.Error()}
	}

	var problems []string

	for _, difference := range found {
		if !c.isKnown("patch", one.Name, difference.kind, difference.path) {
			problems = append(problems, difference.String())
		}
	}

	return problems
}

func (c *court) unlessKnown(one patchCase, path, problem string) []string {
	if c.isKnown("patch", one.Name, "*", path) {
		return nil
	}

	return []string{problem}
}

// patched is what the library makes of the patches. It panics on some, which is a refusal too.
func patched(one patchCase) (result coreconfig.Provider, err error) {
	defer func() {
		if recovered := recover(); recovered != nil {
			err = fmt.Errorf("panic: %v", recovered)
		}
	}()

	loaded := make([]configpatcher.Patch, 0, len(one.Patches))

	for _, text := range one.Patches {
		patch, err := configpatcher.LoadPatch([]byte(text))
		if err != nil {
			return nil, err
		}

		loaded = append(loaded, patch)
	}

	out, err := configpatcher.Apply(configpatcher.WithBytes([]byte(one.Config)), loaded)
	if err != nil {
		return nil, err
	}

	text, err := out.Bytes()
	if err != nil {
		return nil, err
	}

	return configloader.NewFromBytes(text)
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	coreconfig "github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/encoder"
	"gopkg.in/yaml.v3"
)

type difference struct {
	kind, path, ours, theirs string
}

func (d difference) String() string {
	return fmt.Sprintf("%s %s: ours %s, theirs %s", d.kind, d.path, d.ours, d.theirs)
}

const absent = "(absent)"

// differences compares two configs field by field, after the library has written both in its own way.
func differences(ours, theirs coreconfig.Provider) ([]difference, error) {
	left, err := fieldsOf(ours)
	if err != nil {
		return nil, err
	}

	right, err := fieldsOf(theirs)
	if err != nil {
		return nil, err
	}

	all := maps.Clone(left)
	maps.Copy(all, right)

	var found []difference

	for _, key := range slices.SortedFunc(maps.Keys(all), func(a, b field) int {
		return bytes.Compare([]byte(a.document+a.path), []byte(b.document+b.path))
	}) {
		one, other := valueOr(left, key), valueOr(right, key)
		if one != other {
			found = append(found, difference{kind: key.kind, path: key.path, ours: one, theirs: other})
		}
	}

	return found, nil
}

type field struct {
	kind, document, path string
}

func valueOr(fields map[field]string, key field) string {
	if value, ok := fields[key]; ok {
		return value
	}

	return absent
}

func fieldsOf(provider coreconfig.Provider) (map[field]string, error) {
	text, err := provider.Clone().EncodeBytes(encoder.WithComments(encoder.CommentsDisabled))
	if err != nil {
		return nil, err
	}

	return fieldsIn(text)
}

func fieldsIn(text []byte) (map[field]string, error) {
	fields := map[field]string{}
	decoder := yaml.NewDecoder(bytes.NewReader(text))

	for {
		var document map[string]any

		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return fields, nil
		}

		if err != nil {
			return nil, err
		}

		kind, _ := document["kind"].(string)
		if kind == "" {
			kind = "v1alpha1"
		}

		flatten(fields, field{kind: kind, document: fmt.Sprintf("%s/%v", kind, document["name"])}, document)
	}
}

func flatten(fields map[field]string, at field, value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			next := at
			if next.path != "" {
				next.path += "."
			}

			next.path += key
			flatten(fields, next, inner)
		}

		if len(value) == 0 {
			fields[at] = "{}"
		}
	case []any:
		for index, inner := range value {
			next := at
			next.path += fmt.Sprintf("[%d]", index)
			flatten(fields, next, inner)
		}

		if len(value) == 0 {
			fields[at] = "[]"
		}
	default:
		text, err := json.Marshal(value)
		if err != nil {
			text = []byte(fmt.Sprint(value))
		}

		fields[at] = string(text)
	}
}

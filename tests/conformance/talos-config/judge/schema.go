package main

import (
	"encoding"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/config/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
)

// schema is what a release of the library knows: its kinds, and the fields of their types with how each is merged.
type schema struct {
	Kinds map[string]kind              `json:"kinds"`
	Types map[string]map[string]string `json:"types"`
}

type kind struct {
	Type  string `json:"type"`
	Named bool   `json:"named"`
}

func writeSchema(file string) {
	text, err := json.MarshalIndent(readSchema(), "", " ")
	if err != nil {
		fail(err)
	}

	if err := os.WriteFile(file, text, 0o644); err != nil {
		fail(err)
	}
}

// judgeSchema compares the table of known fields, as ours sees it for this minor, with the library.
func (c *court) judgeSchema(folder string) {
	var ours schema

	readJSON(filepath.Join(folder, "known-fields.json"), &ours)

	theirs := readSchema()

	var problems []string

	compareMaps("kind", ours.Kinds, theirs.Kinds, &problems)
	compareMaps("type", ours.Types, theirs.Types, &problems)
	c.verdict("schema: the known fields are those of the library", problems)
}

func compareMaps[V any](what string, ours, theirs map[string]V, problems *[]string) {
	for name, value := range theirs {
		if !reflect.DeepEqual(ours[name], value) {
			*problems = append(*problems, fmt.Sprintf("%s %s: ours %v, theirs %v", what, name, ours[name], value))
		}
	}

	for name := range ours {
		if _, ok := theirs[name]; !ok {
			*problems = append(*problems, fmt.Sprintf("%s %s: not in the library", what, name))
		}
	}
}

func readSchema() schema {
	s := schema{Kinds: map[string]kind{}, Types: map[string]map[string]string{}}

	for _, name := range allKinds {
		text := fmt.Sprintf("apiVersion: v1alpha1\nkind: %s\n", name)
		if name == "v1alpha1" {
			text = "version: v1alpha1\nmachine: {}\n"
		}

		provider, err := configloader.NewFromBytes([]byte(text))
		if err != nil {
			continue
		}

		document := provider.Documents()[0]
		_, named := document.(config.NamedDocument)
		s.Kinds[name] = kind{Type: s.structure(reflect.TypeOf(document).Elem()), Named: named}
	}

	return s
}

type merger interface{ Merge(other any) error }

// pemFields are the keys of types that write themselves, and so have none to reflect on.
var pemFields = map[string][]string{
	"PEMEncodedCertificateAndKey": {"crt", "key"},
	"PEMEncodedCertificate":       {"crt"},
	"PEMEncodedKey":               {"key"},
}

// readsItself finds single values of a form of their own; a list that reads itself stays a list.
func readsItself(t reflect.Type) bool {
	_, found := reflect.PointerTo(t).MethodByName("UnmarshalYAML")

	return found && t.Kind() != reflect.Slice
}

func implements[T any](t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[T]()) || t.Implements(reflect.TypeFor[T]())
}

// shape says how a field is merged:
// text, number: replaced unless the new value is zero; choice(x): likewise, where x is its zero; always: replaced; flag: a boolean;
// free: an object without a schema; args: a map replaced key by key; list, map, and the name of a structure (value: always there).
func (s schema) shape(t reflect.Type, isPointer bool) string {
	if t.Kind() == reflect.Pointer {
		return s.shape(t.Elem(), true)
	}

	switch {
	case pemFields[t.Name()] != nil: // an absent half is read as an empty one, and replaces
		return "replaced " + s.structureIn(t, isPointer)
	case t.Name() == "Unstructured":
		return "free"
	case t.Name() == "Args":
		return "args"
	case t.Kind() == reflect.Slice && implements[merger](t):
		return "keyed " + t.Name() + " " + s.shape(t.Elem(), false)
	case t.Kind() == reflect.Bool:
		return "flag"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8, implements[encoding.TextUnmarshaler](t), readsItself(t):
		return scalar(t, isPointer)
	}

	switch t.Kind() {
	case reflect.Struct:
		return s.structureIn(t, isPointer)
	case reflect.Slice, reflect.Array:
		return "list " + s.shape(t.Elem(), t.Elem().Kind() == reflect.Struct)
	case reflect.Map:
		return "map " + s.shape(t.Elem(), t.Elem().Kind() == reflect.Struct)
	case reflect.Interface:
		return "free"
	default:
		return scalar(t, isPointer)
	}
}

func scalar(t reflect.Type, isPointer bool) string {
	if isPointer || t.Kind() == reflect.Struct || t.Kind() == reflect.Slice {
		return "always"
	}

	if t.Kind() == reflect.String {
		return "text"
	}

	if zero, ok := reflect.Zero(t).Interface().(encoding.TextMarshaler); ok {
		if text, err := zero.MarshalText(); err == nil {
			return "choice(" + string(text) + ")"
		}
	}

	return "number"
}

// structureIn marks a structure that is always there, since its field is no pointer.
func (s schema) structureIn(t reflect.Type, isPointer bool) string {
	if isPointer {
		return s.structure(t)
	}

	return "value " + s.structure(t)
}

func (s schema) structure(t reflect.Type) string {
	name := filepath.Base(t.PkgPath()) + "." + t.Name()
	if _, ok := s.Types[name]; ok {
		return name
	}

	fields := map[string]string{}
	s.Types[name] = fields
	s.collect(t, fields)

	return name
}

func (s schema) collect(t reflect.Type, fields map[string]string) {
	for _, name := range pemFields[t.Name()] {
		fields[name] = "always"
	}

	for i := range t.NumField() {
		field := t.Field(i)
		tag, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")

		if strings.Contains(options, "inline") {
			s.collect(field.Type, fields)

			continue
		}

		if tag == "" || tag == "-" {
			continue
		}

		fields[tag] = s.shape(field.Type, false)

		if field.Tag.Get("merge") == "replace" {
			fields[tag] = "replaced " + fields[tag]
		}
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A known difference, with its reason. It covers what lies under its path in documents of its kind, in the cases it names.
type knownDifference struct {
	Area   string   `json:"area"`
	Minors []int    `json:"minors"`
	Kind   string   `json:"kind"`
	Path   string   `json:"path"`
	Cases  []string `json:"cases"`
	Reason string   `json:"reason"`
	used   bool
}

type court struct {
	minor          int
	passed, failed int
	known          []*knownDifference
}

func newCourt(minor, knownFile string) *court {
	c := &court{}

	if _, err := fmt.Sscan(minor, &c.minor); err != nil {
		fail(err)
	}

	readJSON(knownFile, &c.known)

	return c
}

// verdict counts a case, and says what is wrong with it.
func (c *court) verdict(name string, problems []string) {
	if len(problems) == 0 {
		c.passed++

		return
	}

	c.failed++

	fmt.Printf("FAIL v1.%d %s\n", c.minor, name)

	for _, problem := range problems {
		fmt.Printf("     %s\n", problem)
	}
}

// isKnown reports whether a difference stands in the table, and marks its row as used.
func (c *court) isKnown(area, caseName, kind, path string) bool {
	for _, row := range c.known {
		if row.Area != area || !slices.Contains(row.Minors, c.minor) {
			continue
		}

		if len(row.Cases) > 0 && !slices.Contains(row.Cases, caseName) {
			continue
		}

		if row.Kind != "*" && row.Kind != kind {
			continue
		}

		if path != row.Path && row.Path != "" && !strings.HasPrefix(path, row.Path+".") && !strings.HasPrefix(path, row.Path+"[") {
			continue
		}

		row.used = true

		return true
	}

	return false
}

// judgeUnusedRows keeps the table honest: a difference that is gone must leave it.
func (c *court) judgeUnusedRows() {
	var problems []string

	for _, row := range c.known {
		if slices.Contains(row.Minors, c.minor) && !row.used {
			problems = append(problems, fmt.Sprintf("no case shows %s %s %s %v any more", row.Area, row.Kind, row.Path, row.Cases))
		}
	}

	c.verdict("every known difference is still there", problems)
}

func readJSON(file string, into any) {
	data, err := os.ReadFile(file)
	if err != nil {
		fail(err)
	}

	if err := json.Unmarshal(data, into); err != nil {
		fail(fmt.Errorf("%s: %w", file, err))
	}
}

func filesIn(folder, pattern string) []string {
	files, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		fail(err)
	}

	slices.Sort(files)

	return files
}

// The judge holds what ichor makes against Talos's own library, in the release of one minor.
package main

import (
	"fmt"
	"os"
)

const usage = "usage: judge secrets|schema|check …"

func main() {
	if len(os.Args) < 2 {
		fail(usage)
	}

	arguments := os.Args[2:]

	switch os.Args[1] {
	case "secrets": // secrets CONTRACT FILE
		writeSecrets(arguments[0], arguments[1])
	case "schema": // schema FILE
		writeSchema(arguments[0])
	case "check": // check MINOR FOLDER KNOWN-DIFFERENCES
		os.Exit(check(arguments[0], arguments[1], arguments[2]))
	default:
		fail(usage)
	}
}

func check(minor, folder, knownFile string) int {
	court := newCourt(minor, knownFile)

	court.judgeConfigs(folder)
	court.judgePhases(folder)
	court.judgePatches(folder)
	court.judgeSecrets(folder)
	court.judgeTalosconfig(folder)
	court.judgeSchema(folder)
	court.judgeUnusedRows()

	fmt.Printf("v1.%s: %d passed, %d failed\n", minor, court.passed, court.failed)

	if court.failed > 0 {
		return 1
	}

	return 0
}

func fail(problem any) {
	fmt.Fprintln(os.Stderr, problem)
	os.Exit(2)
}

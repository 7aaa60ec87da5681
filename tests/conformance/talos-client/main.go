// Talos's own Go client judges our simulated node.
package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

// check is one thing that the client does, or must not be able to do.
type check struct {
	title string
	run   func(ctx context.Context, l *lab) error
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: talos-client COMMAND... (which starts the lab)")
		os.Exit(2)
	}

	l, stop, err := startLab(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}

	failed := runAll(l)

	stop()

	if failed > 0 {
		os.Exit(1)
	}
}

// runAll goes through the checks in order: a cluster's life, from its first call to its reset.
func runAll(l *lab) int {
	var all []check

	all = append(all, secretChecks...)
	all = append(all, maintenanceChecks...)
	all = append(all, clusterChecks...)
	all = append(all, resourceChecks...)
	all = append(all, configChecks...)
	all = append(all, verdictChecks(l)...)
	all = append(all, endingChecks...)

	failed := 0

	for number, one := range all {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		err := one.run(ctx, l)

		cancel()

		if err != nil {
			failed++

			fmt.Printf("FAIL %s: %v\n", one.title, err)

			if number == 0 {
				fmt.Println("The node does not even tell its version; the rest is not tried.")

				return len(all)
			}

			continue
		}

		fmt.Printf("ok   %s\n", one.title)
	}

	fmt.Printf("talos-client %s: %d passed, %d failed\n", l.Versions.Running, len(all)-failed, failed)

	return failed
}

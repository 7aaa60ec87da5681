package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// lab is what the simulator reports about itself on its first line.
type lab struct {
	Endpoints   struct{ CP, Worker, Fresh string }
	Addresses   struct{ CP, Worker string }
	FreshUUID   string
	Credentials map[string]credentials
	Configs     struct{ CP, Changed, Invalid, UnknownKey, Fresh string }
	Versions    struct{ Running, Upgraded, Patched string }
	Installers  struct{ Good, TooNew, Legacy string }
	Variants    map[string]string
}

// credentials are the three values of a talosconfig context.
type credentials struct{ CA, Crt, Key string }

// startLab runs the simulator; it ends when the returned function closes its input.
func startLab(command []string) (*lab, func(), error) {
	process := exec.Command(command[0], command[1:]...)
	process.Stderr = os.Stderr

	input, err := process.StdinPipe()
	if err != nil {
		return nil, nil, err
	}

	output, err := process.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}

	if err = process.Start(); err != nil {
		return nil, nil, err
	}

	stop := func() {
		input.Close() //nolint:errcheck

		done := make(chan struct{})

		go func() {
			process.Wait() //nolint:errcheck
			close(done)
		}()

		select {
		case <-done:
		case <-time.After(5 * time.Second):
			process.Process.Kill() //nolint:errcheck
		}
	}

	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil && err != io.EOF {
		stop()

		return nil, nil, err
	}

	var reported lab

	if err = json.Unmarshal(line, &reported); err != nil {
		stop()

		return nil, nil, fmt.Errorf("the lab did not say where it is: %w", err)
	}

	return &reported, stop, nil
}

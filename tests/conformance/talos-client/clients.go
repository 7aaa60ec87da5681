package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/client"
	clientconfig "github.com/siderolabs/talos/pkg/machinery/client/config"
	"google.golang.org/grpc/codes"
)

// secured is a client with a certificate of the given name.
func secured(ctx context.Context, l *lab, endpoint, who string) (*client.Client, error) {
	c, ok := l.Credentials[who]
	if !ok {
		return nil, fmt.Errorf("the lab has no credentials for %s", who)
	}

	return client.New(ctx,
		client.WithEndpoints(endpoint),
		client.WithConfigContext(&clientconfig.Context{Endpoints: []string{endpoint}, CA: c.CA, Crt: c.Crt, Key: c.Key}),
	)
}

// insecure is a client without a certificate, as used for machines in maintenance.
func insecure(ctx context.Context, endpoint string) (*client.Client, error) {
	return client.New(ctx, client.WithTLSConfig(&tls.Config{InsecureSkipVerify: true}), client.WithEndpoints(endpoint))
}

// as runs a check with a client and closes it.
func as(who string, pick func(*lab) string, run func(ctx context.Context, l *lab, c *client.Client) error) func(context.Context, *lab) error {
	return func(ctx context.Context, l *lab) error {
		c, err := secured(ctx, l, pick(l), who)
		if err != nil {
			return err
		}

		defer c.Close() //nolint:errcheck

		return run(ctx, l, c)
	}
}

func cp(l *lab) string     { return l.Endpoints.CP }
func worker(l *lab) string { return l.Endpoints.Worker }
func fresh(l *lab) string  { return l.Endpoints.Fresh }

// wants says what is wrong when a call did not end with this code.
func wants(code codes.Code, err error) error {
	if err == nil {
		return fmt.Errorf("the call succeeded, and should have failed with %s", code)
	}

	if got := client.StatusCode(err); got != code {
		return fmt.Errorf("the code is %s, not %s: %w", got, code, err)
	}

	return nil
}

// eventually asks again until it works or the context ends; the last reason is reported.
func eventually(ctx context.Context, try func(ctx context.Context) error) error {
	var last error

	for {
		attempt, cancel := context.WithTimeout(ctx, 2*time.Second)
		err := try(attempt)

		cancel()

		if err == nil {
			return nil
		}

		if ctx.Err() == nil {
			last = err
		}

		select {
		case <-ctx.Done():
			return fmt.Errorf("it never came true: %w", last)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/api/common"
	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/client"
	"github.com/siderolabs/talos/pkg/machinery/resources/runtime"
	"google.golang.org/grpc/codes"
)

var clusterChecks = []check{
	{"a worker cannot be bootstrapped", as("admin", worker, func(ctx context.Context, l *lab, c *client.Client) error {
		return wants(codes.Unimplemented, c.Bootstrap(ctx, &machine.BootstrapRequest{}))
	})},
	{"events tell of the stages until the machine runs, and bootstrap works once", as("admin", cp, bootstrapWatched)},
	{"a second bootstrap is refused", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		return wants(codes.AlreadyExists, c.Bootstrap(ctx, &machine.BootstrapRequest{}))
	})},
	{"the kubeconfig is read out of its archive", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		text, err := c.Kubeconfig(ctx)
		if err != nil {
			return err
		}

		if !strings.Contains(string(text), "admin@dev") {
			return errors.New("it names no context admin@dev")
		}

		return nil
	})},
	{"a worker has no kubeconfig", as("admin", worker, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := c.Kubeconfig(ctx)

		return wants(codes.Unimplemented, err)
	})},
	{"etcd lists both of its members, and both vote in the end", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		return eventually(ctx, func(ctx context.Context) error {
			answer, err := c.EtcdMemberList(ctx, &machine.EtcdMemberListRequest{})
			if err != nil {
				return err
			}

			members := answer.Messages[0].Members
			if len(members) != 2 || members[0].IsLearner || members[1].IsLearner {
				return fmt.Errorf("the members are %v", members)
			}

			return nil
		})
	})},
	{"etcd has a leader", as("etcdBackup", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		answer, err := c.EtcdStatus(ctx)
		if err != nil {
			return err
		}

		if answer.Messages[0].MemberStatus.Leader == 0 {
			return errors.New("nobody leads")
		}

		return nil
	})},
	{"a snapshot ends with the hash of its pages", as("etcdBackup", cp, snapshotIsWhole)},
	{"no alarm rings, and a member defragments", as("operator", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		answer, err := c.EtcdAlarmList(ctx)
		if err != nil {
			return err
		}

		if len(answer.Messages[0].MemberAlarms) > 0 {
			return errors.New("there are alarms")
		}

		_, err = c.EtcdDefragment(ctx)

		return err
	})},
	{"an unknown member cannot be removed", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		return wants(codes.NotFound, c.EtcdRemoveMemberByID(ctx, &machine.EtcdRemoveMemberByIDRequest{MemberId: 42}))
	})},
	{"logs of a service and of the kernel can be read", as("reader", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		logs, err := c.Logs(ctx, "system", common.ContainerDriver_CONTAINERD, "apid", false, -1)
		if err != nil {
			return err
		}

		if err = contains(logs, "apid"); err != nil {
			return err
		}

		dmesg, err := c.Dmesg(ctx, false, false)
		if err != nil {
			return err
		}

		return contains(dmesg, "Linux version")
	})},
	{"a control plane forwards to a worker", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		answer, err := c.MachineClient.Hostname(client.WithNode(ctx, l.Addresses.Worker), nil)
		if err != nil {
			return err
		}

		if got := answer.Messages[0].Hostname; got != "worker" {
			return fmt.Errorf("%s answered", got)
		}

		return nil
	})},
	{"a worker does not forward", as("admin", worker, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := c.Version(client.WithNode(ctx, l.Addresses.CP))

		return wants(codes.PermissionDenied, err)
	})},
}

func bootstrapWatched(ctx context.Context, _ *lab, c *client.Client) error {
	events := make(chan client.EventResult)
	if err := c.EventsWatchV2(ctx, events, client.WithTailEvents(-1)); err != nil {
		return err
	}

	if err := eventually(ctx, func(ctx context.Context) error {
		err := c.Bootstrap(ctx, &machine.BootstrapRequest{})
		if client.StatusCode(err) == codes.FailedPrecondition {
			return err
		}

		return nil
	}); err != nil {
		return err
	}

	for {
		select {
		case <-ctx.Done():
			return errors.New("no event said that it runs")
		case event := <-events:
			if event.Error != nil {
				return event.Error
			}

			status, ok := event.Event.Payload.(*machine.MachineStatusEvent)
			if ok && status.Stage == machine.MachineStatusEvent_RUNNING {
				return stageIs(ctx, c, runtime.MachineStageRunning)
			}
		}
	}
}

func snapshotIsWhole(ctx context.Context, _ *lab, c *client.Client) error {
	stream, err := c.EtcdSnapshot(ctx, &machine.EtcdSnapshotRequest{})
	if err != nil {
		return err
	}

	defer stream.Close() //nolint:errcheck

	file, err := io.ReadAll(stream)
	if err != nil {
		return err
	}

	if len(file)%512 != sha256.Size {
		return fmt.Errorf("%d bytes are no pages with a hash", len(file))
	}

	pages, hash := file[:len(file)-sha256.Size], file[len(file)-sha256.Size:]
	if sum := sha256.Sum256(pages); !bytes.Equal(sum[:], hash) {
		return errors.New("the hash is wrong")
	}

	return nil
}

func contains(stream client.MachineStream, text string) error {
	r, err := client.ReadStream(stream)
	if err != nil {
		return err
	}

	defer r.Close() //nolint:errcheck

	all, err := io.ReadAll(r)
	if err != nil {
		return err
	}

	if !strings.Contains(string(all), text) {
		return fmt.Errorf("it does not say %q", text)
	}

	return nil
}

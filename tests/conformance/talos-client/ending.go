package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/siderolabs/talos/pkg/machinery/api/common"
	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/client"
	"google.golang.org/grpc/codes"
)

var systemContainerd = &common.ContainerdInstance{
	Driver:    common.ContainerDriver_CRI,
	Namespace: common.ContainerdNamespace_NS_SYSTEM,
}

var endingChecks = []check{
	{"an image must be pulled before it is installed", as("admin", worker, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := install(ctx, c, l.Installers.Good)

		return wants(codes.Internal, err)
	})},
	{"an installer that is too new ends with an exit code", as("admin", worker, func(ctx context.Context, l *lab, c *client.Client) error {
		if err := pull(ctx, c, l.Installers.TooNew); err != nil {
			return err
		}

		code, err := install(ctx, c, l.Installers.TooNew)
		if err != nil {
			return err
		}

		if code == 0 {
			return errors.New("the exit code is 0")
		}

		return nil
	})},
	{"an upgrade by the lifecycle service waits for the reboot, which boots it", as("admin", worker, func(ctx context.Context, l *lab, c *client.Client) error {
		if err := pull(ctx, c, l.Installers.Good); err != nil {
			return err
		}

		code, err := install(ctx, c, l.Installers.Good)
		if err != nil {
			return err
		}

		if code != 0 {
			return fmt.Errorf("the exit code is %d", code)
		}

		if err = tagIs(ctx, c, l.Versions.Running); err != nil {
			return err
		}

		if err = c.Reboot(ctx); err != nil {
			return err
		}

		return eventually(ctx, func(ctx context.Context) error { return tagIs(ctx, c, l.Versions.Upgraded) })
	})},
	{"from 1.14 on the mode that reboots is gone", as("admin", worker, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := apply(ctx, c, l.Configs.CP, machine.ApplyConfigurationRequest_REBOOT)
		if client.StatusCode(err) == codes.InvalidArgument {
			return nil
		}

		return wants(codes.Unimplemented, err)
	})},
	{"a rollback boots the old version again", as("admin", worker, func(ctx context.Context, l *lab, c *client.Client) error {
		if err := c.Rollback(ctx); err != nil {
			return err
		}

		return eventually(ctx, func(ctx context.Context) error { return tagIs(ctx, c, l.Versions.Running) })
	})},
	{"the old way of upgrading refuses two etcd members", as("admin", cp, func(ctx context.Context, l *lab, c *client.Client) error {
		_, err := c.UpgradeWithOptions(ctx, client.WithUpgradeImage(l.Installers.Legacy))

		return wants(codes.Unknown, err)
	})},
	{"the old way of upgrading does everything by itself", as("admin", worker, func(ctx context.Context, l *lab, c *client.Client) error {
		if _, err := c.UpgradeWithOptions(ctx, client.WithUpgradeImage(l.Installers.Legacy)); err != nil {
			return err
		}

		return eventually(ctx, func(ctx context.Context) error { return tagIs(ctx, c, l.Versions.Patched) })
	})},
	{"a reset wipes what it was reported, and the machine reads its seed again", as("admin", worker, func(ctx context.Context, l *lab, c *client.Client) error {
		before, err := bootID(ctx, c)
		if err != nil {
			return err
		}

		err = c.ResetGeneric(ctx, &machine.ResetRequest{
			Reboot:                 true,
			SystemPartitionsToWipe: []*machine.ResetPartitionSpec{{Label: "STATE", Wipe: true}, {Label: "EPHEMERAL", Wipe: true}},
		})
		if err != nil {
			return err
		}

		return eventually(ctx, func(ctx context.Context) error {
			after, err := bootID(ctx, c)
			if err == nil && after == before {
				return errors.New("it has not rebooted yet")
			}

			return err
		})
	})},
	{"a machine that is shut down answers no more", as("admin", worker, func(ctx context.Context, l *lab, c *client.Client) error {
		if err := c.Shutdown(ctx); err != nil {
			return err
		}

		return eventually(ctx, func(ctx context.Context) error {
			_, err := c.Version(ctx)
			if err == nil {
				return errors.New("it still answers")
			}

			return nil
		})
	})},
}

func pull(ctx context.Context, c *client.Client, image string) error {
	stream, err := c.ImageClient.Pull(ctx, &machine.ImageServicePullRequest{Containerd: systemContainerd, ImageRef: image})
	if err != nil {
		return err
	}

	name := ""

	for {
		message, err := stream.Recv()
		if err == io.EOF {
			break
		}

		if err != nil {
			return err
		}

		name = message.GetName()
	}

	if name == "" {
		return errors.New("the last message is not the name of the image")
	}

	return nil
}

func install(ctx context.Context, c *client.Client, image string) (int32, error) {
	stream, err := c.LifecycleClient.Upgrade(ctx, &machine.LifecycleServiceUpgradeRequest{
		Containerd: systemContainerd,
		Source:     &machine.InstallArtifactsSource{ImageName: image},
	})
	if err != nil {
		return 0, err
	}

	code := int32(-1)

	for {
		message, err := stream.Recv()
		if err == io.EOF {
			return code, nil
		}

		if err != nil {
			return 0, err
		}

		if exit, ok := message.GetProgress().GetResponse().(*machine.LifecycleServiceInstallProgress_ExitCode); ok {
			code = exit.ExitCode
		}
	}
}

func tagIs(ctx context.Context, c *client.Client, tag string) error {
	answer, err := c.Version(ctx)
	if err != nil {
		return err
	}

	if got := answer.Messages[0].Version.Tag; got != tag {
		return fmt.Errorf("it runs %s", got)
	}

	return nil
}

func bootID(ctx context.Context, c *client.Client) (string, error) {
	r, err := c.Read(ctx, "/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", err
	}

	defer r.Close() //nolint:errcheck

	id, err := io.ReadAll(r)

	return string(id), err
}

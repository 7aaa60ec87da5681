// Checks the Dockerfile with BuildKit's own linter, and the compose file with the loader of docker compose.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/moby/buildkit/client/llb"
	"github.com/moby/buildkit/client/llb/sourceresolver"
	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
	"github.com/opencontainers/go-digest"
	ocispecs "github.com/opencontainers/image-spec/specs-go/v1"
)

// noRegistry knows every image and downloads none.
type noRegistry struct{}

func (noRegistry) ResolveImageConfig(_ context.Context, ref string, _ sourceresolver.Opt) (string, digest.Digest, []byte, error) {
	config, err := json.Marshal(ocispecs.Image{Platform: ocispecs.Platform{OS: "linux", Architecture: "amd64"}})
	return ref, digest.FromBytes(config), config, err
}

func lintDockerfile(ctx context.Context, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	source := llb.NewSourceMap(nil, path, "Dockerfile", text)
	source.Definition = &llb.Definition{}
	results, err := dockerfile2llb.DockerfileLint(ctx, text, dockerfile2llb.ConvertOpt{
		SourceMap:    source,
		MetaResolver: noRegistry{},
	})
	if err != nil {
		return err
	}
	if results.Error != nil {
		return fmt.Errorf("%s: %s", path, results.Error.Message)
	}
	for _, warning := range results.Warnings {
		fmt.Printf("%s: %s: %s\n", path, warning.RuleName, warning.Detail)
	}
	if len(results.Warnings) > 0 {
		return fmt.Errorf("%s has %d warnings", path, len(results.Warnings))
	}
	fmt.Printf("%s: no warnings\n", path)
	return nil
}

func loadCompose(ctx context.Context, path string) error {
	options, err := cli.NewProjectOptions([]string{path}, cli.WithName("ichor"), cli.WithProfiles([]string{"*"}))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%s: services %v\n", path, project.ServiceNames())
	return nil
}

func main() {
	ctx := context.Background()
	for _, check := range []error{lintDockerfile(ctx, os.Args[1]), loadCompose(ctx, os.Args[2])} {
		if check != nil {
			fmt.Fprintln(os.Stderr, check)
			os.Exit(1)
		}
	}
}

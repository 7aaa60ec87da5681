// Reads snapshots of the lab with etcd's own code: their status, and what an etcd that was restored from them holds.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/etcdutl/v3/snapshot"
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3client"
	"go.uber.org/zap"
)

// verdict is what etcd finds in one file.
type verdict struct {
	Status       snapshot.Status   `json:"status"`
	StatusError  string            `json:"statusError,omitempty"`
	RestoreError string            `json:"restoreError,omitempty"`
	Revision     int64             `json:"revision"`
	Values       map[string]string `json:"values"`
}

func main() {
	verdicts := make([]verdict, 0, len(os.Args)-1)

	for _, file := range os.Args[1:] {
		verdicts = append(verdicts, judge(file))
	}

	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		panic(err)
	}
}

func judge(file string) verdict {
	manager := snapshot.NewV3(zap.NewNop())

	var v verdict

	status, err := manager.Status(file)
	if err != nil {
		v.StatusError = err.Error()
	}

	v.Status = status

	folder := file + ".data"
	defer os.RemoveAll(folder) //nolint:errcheck

	if err = restore(manager, file, folder); err != nil {
		v.RestoreError = err.Error()

		return v
	}

	if v.Revision, v.Values, err = readBack(folder); err != nil {
		v.RestoreError = err.Error()
	}

	return v
}

const peerURL = "http://127.0.0.1:0"

func restore(manager snapshot.Manager, file, folder string) error {
	return manager.Restore(snapshot.RestoreConfig{
		SnapshotPath:        file,
		Name:                "restored",
		OutputDataDir:       folder,
		PeerURLs:            []string{peerURL},
		InitialCluster:      "restored=" + peerURL,
		InitialClusterToken: "lab",
	})
}

// readBack starts a real etcd on the restored data and reads all of its keys.
func readBack(folder string) (int64, map[string]string, error) {
	config := embed.NewConfig()
	config.Name = "restored"
	config.Dir = folder
	config.LogLevel = "error"
	config.LogOutputs = []string{filepath.Join(folder, "log")}
	config.ListenPeerUrls = []url.URL{{Scheme: "unix", Host: "localhost:1"}}
	config.ListenClientUrls = []url.URL{{Scheme: "unix", Host: "localhost:2"}}
	config.AdvertiseClientUrls = []url.URL{{Scheme: "http", Host: "127.0.0.1:2"}}

	if err := os.Chdir(folder); err != nil {
		return 0, nil, err
	}

	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return 0, nil, err
	}

	defer etcd.Close()

	select {
	case <-etcd.Server.ReadyNotify():
	case <-time.After(30 * time.Second):
		return 0, nil, fmt.Errorf("the restored etcd did not start within 30 seconds")
	}

	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()

	answer, err := v3client.New(etcd.Server).Get(ctx, "", clientv3.WithPrefix())
	if err != nil {
		return 0, nil, err
	}

	values := map[string]string{}
	for _, entry := range answer.Kvs {
		values[string(entry.Key)] = string(entry.Value)
	}

	return answer.Header.Revision, values, nil
}

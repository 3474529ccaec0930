// Command kubernetes-tools is kube-apiserver, kubectl and etcd in one binary, chosen by the name it is called by.
// One link step instead of three keeps a cold build short. The tests use it as their real Kubernetes.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	commands := map[string]func() *cobra.Command{
		"kube-apiserver": apiserver.NewAPIServerCommand,
		"kubectl":        kubectl.NewDefaultKubectlCommand,
	}
	name := filepath.Base(os.Args[0])
	if name == "etcd" {
		etcdmain.Main(os.Args)
		return
	}
	command, known := commands[name]
	if !known {
		fmt.Fprintln(os.Stderr, "call this binary as kube-apiserver, kubectl or etcd")
		os.Exit(2)
	}
	os.Exit(cli.Run(command()))
}

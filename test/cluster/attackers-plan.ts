/** Targets that the probe tries to reach. */
export interface Plan {
  /** `address:port` by name. */
  readonly targets: Readonly<Record<string, string>>;
  /** `address:port` */
  readonly redis: string;
  /** Redis commands by name. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  /** A waiting task: its ID and the command that reads it. */
  readonly task: { readonly id: string; readonly read: readonly string[] };
  /** `address:port` */
  readonly store: string;
  readonly bucket: string;
  /** For a process that cannot detect targets itself. @default what this process detects */
  readonly survey?: Survey;
}

/** Targets in the container and its pod. */
export interface Survey {
  readonly processes: readonly { readonly pid: number; readonly command: string }[];
  /** Paths of mounted files and directories. */
  readonly mounts: readonly string[];
  /** Paths of the pod's listening Unix sockets. */
  readonly sockets: readonly string[];
  /** The pod's listening TCP ports. */
  readonly ports: readonly number[];
}

/** Everything that the probe reached. */
export interface Reached {
  readonly survey: Survey;
  /** IDs of processes that it can kill. */
  readonly ends: readonly number[];
  /** IDs of processes whose environment, memory or open files it can read. */
  readonly reads: readonly number[];
  /** Variables from all environments that it can read: SHA-256 of the value, by name. */
  readonly environment: Readonly<Record<string, string>>;
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** Name of the service account whose token it has. */
  readonly account: string;
  readonly sockets: readonly string[];
  readonly ports: readonly number[];
  /** Redis replies by command name; empty if there was none. */
  readonly redis: Readonly<Record<string, string>>;
  /** The parts of the waiting task that it can read and open. */
  readonly task: string;
  /** Status of object store requests by name; 0 means no response. */
  readonly store: Readonly<Record<string, number>>;
  /** Whether the name server accepts a query for a name outside the cluster. */
  readonly asksDns: boolean;
  /** Names of the targets that respond. */
  readonly targets: readonly string[];
}

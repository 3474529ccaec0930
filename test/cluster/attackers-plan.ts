/** What the probe tries. */
export interface Plan {
  /** `address:port` by name. */
  readonly targets: Readonly<Record<string, string>>;
  /** `address:port` */
  readonly redis: string;
  /** Commands of Redis by name. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  /** A waiting task: its id, and the command that reads it. */
  readonly task: { readonly id: string; readonly read: readonly string[] };
  /** `address:port` */
  readonly store: string;
  readonly bucket: string;
  /** For a process that cannot see what is there. @default what this process sees */
  readonly survey?: Survey;
}

/** What there is to try in the container and its pod. */
export interface Survey {
  readonly processes: readonly { readonly pid: number; readonly command: string }[];
  /** Paths of mounted files and directories. */
  readonly mounts: readonly string[];
  /** Paths of listening Unix sockets of the pod. */
  readonly sockets: readonly string[];
  /** Listening TCP ports of the pod. */
  readonly ports: readonly number[];
}

/** What the probe reached. */
export interface Reached {
  readonly survey: Survey;
  /** Ids of processes that it can end. */
  readonly ends: readonly number[];
  /** Ids of processes whose environment, memory or open files it can read. */
  readonly reads: readonly number[];
  /** Variables of all environments that it can read: SHA-256 of the value, by name. */
  readonly environment: Readonly<Record<string, string>>;
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** Name of the service account whose token it has. */
  readonly account: string;
  readonly sockets: readonly string[];
  readonly ports: readonly number[];
  /** Answers of Redis by name of the command; empty: none. */
  readonly redis: Readonly<Record<string, string>>;
  /** The waiting task, as far as it can read and open it. */
  readonly task: string;
  /** Status of requests to the object store by name; 0: no response. */
  readonly store: Readonly<Record<string, number>>;
  /** Whether the name server takes a query for a name outside the cluster. */
  readonly asksDns: boolean;
  /** Names of the targets that answer. */
  readonly targets: readonly string[];
}

import { readFileSync } from 'node:fs';
import { inventKeys, removeDirectory, ServiceProcess, temporaryDirectory } from '../../support/service.ts';
import { BenchClient } from '../workload/bench-client.ts';

/** A standalone service in a separate process, with temporary data. */
export class StandaloneService {
  readonly client: BenchClient;
  readonly process: ServiceProcess;

  private constructor(running: ServiceProcess, key: string) {
    this.process = running;
    this.client = new BenchClient(running.url, key);
  }

  /**
   * Resolves when it is ready. Its settings come from this process and `environment`.
   * @default the command of `npm start`, without npm
   */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    command: readonly [string, ...string[]] = [process.execPath, ...startArguments()],
  ): Promise<StandaloneService> {
    const data = await temporaryDirectory();
    const keys = inventKeys();
    const own = { TRIFOLD_DATA: data, TRIFOLD_PORT: '0', TRIFOLD_LIVE_KEY: keys.live };
    const settings = { ...process.env, TRIFOLD_LOG_LEVEL: 'warn' };
    const started = { data, keys, command, environment: { ...settings, ...environment, ...own } };
    return new StandaloneService(await new ServiceProcess(started).ready(), keys.live);
  }

  /** Process IDs of the service and its merge processes. */
  get nodePids(): number[] {
    const { pid, children } = this.process;
    return [
      pid,
      ...children.filter(({ command }) => command.includes('merge-process')).map((each) => each.pid),
    ];
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.process.stop();
    await removeDirectory(this.process.data);
  }
}

/** Returns Node's arguments in `npm start`. */
export function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').slice(2);
}

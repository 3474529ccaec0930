import { onTestFinished } from 'vitest';
import {
  inventKeys,
  removeDirectory,
  ServiceProcess,
  temporaryDirectory,
  type ServiceOptions,
} from '../support/service.ts';

/** A directory that goes when the test has ended. */
export async function freshDirectory(): Promise<string> {
  const directory = await temporaryDirectory();
  onTestFinished(() => removeDirectory(directory));
  return directory;
}

/** Starts a service, not waiting for it; it is killed when the test has ended. */
export function launch(options: ServiceOptions): ServiceProcess {
  const service = new ServiceProcess(options);
  onTestFinished(() => service.kill());
  return service;
}

/** A running service with data of its own and preset keys. */
export async function freshService(options: Partial<ServiceOptions> = {}): Promise<ServiceProcess> {
  const data = options.data ?? (await freshDirectory());
  return launch({ keys: inventKeys(), ...options, data }).ready();
}

import { onTestFinished } from 'vitest';
import {
  inventKeys,
  removeDirectory,
  ServiceProcess,
  temporaryDirectory,
  type ServiceOptions,
} from '../support/service.ts';

/** Creates a directory that is deleted after the test. */
export async function freshDirectory(): Promise<string> {
  const directory = await temporaryDirectory();
  onTestFinished(() => removeDirectory(directory));
  return directory;
}

/** Starts a service without waiting for it; it is killed after the test. */
export function launch(options: ServiceOptions): ServiceProcess {
  const service = new ServiceProcess(options);
  onTestFinished(() => service.kill());
  return service;
}

/** Returns a running service with separate data and preset keys. */
export async function freshService(options: Partial<ServiceOptions> = {}): Promise<ServiceProcess> {
  const data = options.data ?? (await freshDirectory());
  return launch({ keys: inventKeys(), ...options, data }).ready();
}

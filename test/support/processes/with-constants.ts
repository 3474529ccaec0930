/**
 * `node with-constants.ts JSON FILE` runs FILE, such as `standalone/main.ts`, with other values for constants of the
 * services' configurations, for example `{ "usageIntervalMs": 500 }`.
 */
import { resolve } from 'node:path';
import { CONSTANTS as GATEWAY } from '@trifold/api-gateway/config.ts';
import { CONSTANTS as CONTROLLER } from '@trifold/controller/config.ts';
import { CONSTANTS as RENDERER } from '@trifold/renderer/config.ts';

export type Constants = Partial<typeof GATEWAY & typeof CONTROLLER & typeof RENDERER>;

const [, , json = '{}', file = ''] = process.argv;
for (const constants of [GATEWAY, CONTROLLER, RENDERER]) Object.assign(constants, JSON.parse(json));
await import(resolve(file));

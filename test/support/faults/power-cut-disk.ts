import { execFile } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../eventually.ts';
import { removeDirectory, temporaryDirectory } from '../service.ts';

const run = promisify(execFile);
const IMAGE_BYTES = 512 * 1024 * 1024;

/**
 * EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: from this call on the file system writes nothing, not even its
 * journal. Tests of file systems use it as a power cut (`godown -f` in xfstests).
 */
const SHUT_DOWN = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))`;

/** An ext4 file system in a file, whose power can be cut. Needs Linux, root, loop devices and python3. */
export class PowerCutDisk {
  /** Where it is mounted. */
  readonly path: string;
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
    this.path = join(directory, 'disk');
  }

  /** Rejects when the machine does not permit it. */
  static async create(): Promise<PowerCutDisk> {
    const directory = await temporaryDirectory();
    const disk = new PowerCutDisk(directory);
    try {
      await mkdir(disk.path);
      const image = await open(disk.#image, 'w');
      await image.truncate(IMAGE_BYTES);
      await image.close();
      await run('mkfs.ext4', ['-q', '-F', disk.#image]);
      await disk.#mount();
      return disk;
    } catch (error) {
      await removeDirectory(directory);
      throw error;
    }
  }

  /** Cuts the power. Writes of running programs fail from then on, and what no program has synced is lost. */
  async cut(): Promise<void> {
    await run('python3', ['-c', SHUT_DOWN, this.path]);
  }

  /** Mounts the disk again after a cut. The programs that used it must have ended. */
  async restore(): Promise<void> {
    await this.#unmount();
    await this.#mount();
  }

  async remove(): Promise<void> {
    await this.#unmount();
    await removeDirectory(this.#directory);
  }

  get #image(): string {
    return join(this.#directory, 'image');
  }

  /** Without a commit every few seconds, so that only a sync brings anything to the disk. */
  async #mount(): Promise<void> {
    await run('mount', ['-o', 'loop,commit=600', this.#image, this.path]);
  }

  /** Busy until the last process that used it has ended. */
  async #unmount(): Promise<void> {
    await eventually(() => run('umount', [this.path]));
  }
}

import { execFile } from 'node:child_process';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../eventually.ts';
import { removeDirectory, temporaryDirectory } from '../service.ts';

const run = promisify(execFile);
/** The image's size; only written blocks take space on the machine's disk. */
const IMAGE_BYTES = 4 * 1024 ** 3;

/** Number of blocks to fill with data, because the list of allocated blocks needs some of them. */
const LEFT_BLOCKS = 256;

/**
 * EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: after this call, the file system writes nothing, not even its
 * journal. File system tests use it to simulate a power cut (`godown -f` in xfstests).
 */
const SHUT_DOWN = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))`;

/**
 * An ext4 file system in a file that can be filled and whose power can be cut. Needs Linux, root, loop devices and
 * python3.
 */
export class FaultyDisk {
  /** Mount point of the disk. */
  readonly path: string;
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
    this.path = join(directory, 'disk');
  }

  /** Rejects if the machine does not permit it. */
  static async create(): Promise<FaultyDisk> {
    const directory = await temporaryDirectory();
    const disk = new FaultyDisk(directory);
    try {
      await mkdir(disk.path);
      const image = await open(disk.#image, 'w');
      await image.truncate(IMAGE_BYTES);
      await image.close();
      await run('mkfs.ext4', ['-q', '-F', '-m', '0', disk.#image]);
      await disk.#mount();
      return disk;
    } catch (error) {
      await removeDirectory(directory);
      throw error;
    }
  }

  /** Cuts the power. From then on, writes by running programs fail, and data that was not synced is lost. */
  async cut(): Promise<void> {
    await run('python3', ['-c', SHUT_DOWN, this.path]);
  }

  /** Mounts the disk again after a power cut. The programs that used it must have ended. */
  async restore(): Promise<void> {
    await this.#unmount();
    await this.#mount();
  }

  /** Takes all free space, so that writes by running programs fail. */
  async fill(): Promise<void> {
    const { bavail, bsize } = await statfs(this.path);
    await run('fallocate', ['-l', String((bavail - LEFT_BLOCKS) * bsize), this.#filler]);
    const zeros = ['if=/dev/zero', `of=${this.#filler}`, 'bs=4k', 'oflag=append', 'conv=notrunc,fsync'];
    await run('dd', zeros).catch(() => undefined);
  }

  /** Frees the space taken by `fill`. */
  async free(): Promise<void> {
    await rm(this.#filler);
  }

  async remove(): Promise<void> {
    await this.#unmount();
    await removeDirectory(this.#directory);
  }

  get #image(): string {
    return join(this.#directory, 'image');
  }

  get #filler(): string {
    return join(this.path, 'filler');
  }

  /** Disables the periodic commit, so that only a sync writes anything to disk. */
  async #mount(): Promise<void> {
    await run('mount', ['-o', 'loop,commit=600', this.#image, this.path]);
  }

  /** The disk is busy until the last process that used it has ended. */
  async #unmount(): Promise<void> {
    await eventually(() => run('umount', [this.path]));
  }
}

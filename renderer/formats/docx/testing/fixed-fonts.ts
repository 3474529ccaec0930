import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Fonts that Debian's LibreOffice Writer package always installs. */
const FONTS = [
  'dejavu/DejaVuSans.ttf',
  'dejavu/DejaVuSans-Bold.ttf',
  'dejavu/DejaVuSansMono.ttf',
  'dejavu/DejaVuSansMono-Bold.ttf',
  'dejavu/DejaVuSerif.ttf',
  'dejavu/DejaVuSerif-Bold.ttf',
  'libreoffice/opens___.ttf',
].map((file) => `/usr/share/fonts/truetype/${file}`);

/**
 * Writes a fontconfig file that names only these fonts, so that line breaks do not depend on the machine's other
 * fonts. Returns its path.
 */
export async function fixedFonts(directory: string): Promise<string> {
  const fonts = join(directory, 'fonts');
  await mkdir(fonts);
  for (const font of FONTS) await symlink(font, join(fonts, basename(font)));
  const file = join(directory, 'fonts.conf');
  // The machine's rules choose among these fonts.
  await writeFile(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include>/etc/fonts/fonts.conf</include>
  <reset-dirs/>
  <dir>${fonts}</dir>
  <cachedir>${directory}/cache</cachedir>
</fontconfig>
`,
  );
  return file;
}

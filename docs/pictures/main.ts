/**
 * `node docs/pictures/main.ts [examples|dashboard]`: makes the pictures in docs/images/ again, from a service of its own.
 * Needs pdftoppm (poppler-utils), pngquant, the built dashboard, and the ports 8080 (or TRIFOLD_PORT) and 3000. Look at
 * each changed picture before you commit it.
 */
import { Company } from './company.ts';
import { makeDashboardPictures } from './dashboard.ts';
import { ExamplePictures } from './examples.ts';
import { liveAMonth } from './month.ts';

const [wanted] = process.argv.slice(2);
const company = await Company.start();
try {
  if (wanted === 'examples') await company.applyExamples();
  else await makeDashboardPictures(company, await liveAMonth(company));
  if (wanted !== 'dashboard') await new ExamplePictures(company.client).make();
} finally {
  await company.stop();
}

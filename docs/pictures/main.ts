/**
 * `node docs/pictures/main.ts [examples|dashboard]`: regenerates the images in docs/images/ from a dedicated service.
 * Needs pdftoppm (poppler-utils), pngquant, the built dashboard, and the ports 8080 (or TRIFOLD_PORT) and 3000. Look at
 * each changed image before you commit it.
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

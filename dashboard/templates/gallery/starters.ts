import certificate from '../../../examples/certificate.yaml?raw';
import certificateData from '../../../examples/certificate/data.json?raw';
import certificatePicture from '../../../docs/images/example-certificate.png';
import invoice from '../../../examples/invoice.yaml?raw';
import invoiceData from '../../../examples/invoice/data.json?raw';
import invoicePicture from '../../../docs/images/example-invoice.png';
import label from '../../../examples/label.yaml?raw';
import labelData from '../../../examples/label/data.json?raw';
import labelPicture from '../../../docs/images/example-label.png';
import letter from '../../../examples/letter.yaml?raw';
import letterData from '../../../examples/letter/data.json?raw';
import letterPicture from '../../../docs/images/example-letter.png';
import report from '../../../examples/report.yaml?raw';
import reportData from '../../../examples/report/data.json?raw';
import reportPicture from '../../../docs/images/example-report.png';
import sepaInvoice from '../../../examples/sepa-invoice.yaml?raw';
import sepaInvoiceData from '../../../examples/sepa-invoice/data.json?raw';
import sepaInvoicePicture from '../../../docs/images/example-sepa-invoice.png';
import swissBill from '../../../examples/swiss-bill.yaml?raw';
import swissBillData from '../../../examples/swiss-bill/data.json?raw';
import swissBillPicture from '../../../docs/images/example-swiss-bill.png';
import { gallery as messages } from '../../messages/template-pages.ts';
import { readTemplate, type TemplateFile } from '../yaml/template-yaml.ts';
import blankCss from './blank.css?raw';
import blankHtml from './blank.html?raw';

/** A template to begin with. */
export interface Starter extends TemplateFile {
  readonly id: string;
  /** URL of an image that shows its first page. */
  readonly picture?: string;
}

const BLANK: Starter = {
  id: 'blank',
  template: {
    name: messages.blankName,
    description: messages.blankDescription,
    html: blankHtml,
    css: blankCss,
    default_options: { page_size: 'a4', margins: '20mm' },
  },
  samples: [{ name: messages.sample, data: { title: messages.blankTitle } }],
};

/** HTML that the user pastes. */
export const PASTED: Starter = {
  id: 'html',
  template: {
    name: messages.pastedName,
    description: messages.pastedDescription,
    html: '',
  },
  samples: [],
};

/** A page with a heading, an empty page, and the templates in the folder `examples`. */
export const STARTERS: readonly Starter[] = [
  BLANK,
  PASTED,
  exampleOf('invoice', invoice, invoiceData, invoicePicture),
  exampleOf('letter', letter, letterData, letterPicture),
  exampleOf('certificate', certificate, certificateData, certificatePicture),
  exampleOf('label', label, labelData, labelPicture),
  exampleOf('report', report, reportData, reportPicture),
  exampleOf('sepa-invoice', sepaInvoice, sepaInvoiceData, sepaInvoicePicture),
  exampleOf('swiss-bill', swissBill, swissBillData, swissBillPicture),
];

function exampleOf(id: string, yaml: string, data: string, picture: string): Starter {
  const { template } = readTemplate(yaml);
  return {
    id,
    picture,
    template,
    samples: [{ name: messages.sample, data: JSON.parse(data) as Starter['samples'][number]['data'] }],
  };
}

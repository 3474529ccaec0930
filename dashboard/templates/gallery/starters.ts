import certificate from '../../../examples/certificate.yaml?raw';
import certificateData from '../../../examples/certificate/data.json?raw';
import invoice from '../../../examples/invoice.yaml?raw';
import invoiceData from '../../../examples/invoice/data.json?raw';
import label from '../../../examples/label.yaml?raw';
import labelData from '../../../examples/label/data.json?raw';
import letter from '../../../examples/letter.yaml?raw';
import letterData from '../../../examples/letter/data.json?raw';
import report from '../../../examples/report.yaml?raw';
import reportData from '../../../examples/report/data.json?raw';
import sepaInvoice from '../../../examples/sepa-invoice.yaml?raw';
import sepaInvoiceData from '../../../examples/sepa-invoice/data.json?raw';
import swissBill from '../../../examples/swiss-bill.yaml?raw';
import swissBillData from '../../../examples/swiss-bill/data.json?raw';
import { gallery as messages } from '../../messages/template-pages.ts';
import { readTemplate, type TemplateFile } from '../yaml/template-yaml.ts';
import blankCss from './blank.css?raw';
import blankHtml from './blank.html?raw';

/** A template to begin with. */
export interface Starter extends TemplateFile {
  readonly id: string;
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

/** HTML that a person pastes. */
export const PASTED: Starter = {
  id: 'html',
  template: {
    name: messages.pastedName,
    description: messages.pastedDescription,
    html: '',
  },
  samples: [],
};

/** A page with a heading, an empty page, and the templates of the folder `examples`. */
export const STARTERS: readonly Starter[] = [
  BLANK,
  PASTED,
  exampleOf('invoice', invoice, invoiceData),
  exampleOf('letter', letter, letterData),
  exampleOf('certificate', certificate, certificateData),
  exampleOf('label', label, labelData),
  exampleOf('report', report, reportData),
  exampleOf('sepa-invoice', sepaInvoice, sepaInvoiceData),
  exampleOf('swiss-bill', swissBill, swissBillData),
];

function exampleOf(id: string, yaml: string, data: string): Starter {
  const { template } = readTemplate(yaml);
  return {
    id,
    template,
    samples: [{ name: messages.sample, data: JSON.parse(data) as Starter['samples'][number]['data'] }],
  };
}

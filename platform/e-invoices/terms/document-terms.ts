import { AGREEMENT, DATE, DELIVERY, DOCUMENT, SETTLEMENT } from './cii-paths.ts';
import { group, LIST, REQUIRED, term } from './term.ts';

/** Terms of the whole invoice, except for parties, payment and amounts. */
export const DOCUMENT_TERMS = [
  term(['BT-1 invoice number', 'identifier'], `${DOCUMENT}/ID`, 'ID', REQUIRED),
  term(['BT-2 invoice issue date', 'date'], `${DOCUMENT}/IssueDateTime/${DATE}`, 'IssueDate', REQUIRED),
  term(['BT-3 invoice type code', 'code'], `${DOCUMENT}/TypeCode`, 'InvoiceTypeCode', {
    ...REQUIRED,
    codes: 'invoice-types',
  }),
  term(['BT-5 invoice currency code', 'code'], `${SETTLEMENT}/InvoiceCurrencyCode`, 'DocumentCurrencyCode', {
    ...REQUIRED,
    codes: 'currencies',
  }),
  term(['BT-6 VAT accounting currency code', 'code'], `${SETTLEMENT}/TaxCurrencyCode`, 'TaxCurrencyCode', {
    codes: 'currencies',
  }),
  term(
    ['BT-7 value added tax point date', 'date'],
    `${SETTLEMENT}/ApplicableTradeTax+/TaxPointDate/udt:DateString[@format=102]`,
    'TaxPointDate',
  ),
  term(
    ['BT-8 value added tax point date code', 'code'],
    `${SETTLEMENT}/ApplicableTradeTax+/DueDateTypeCode`,
    'InvoicePeriod/DescriptionCode',
    { codes: 'vat-date-codes' },
  ),
  term(
    ['BT-9 payment due date', 'date'],
    `${SETTLEMENT}/SpecifiedTradePaymentTerms/DueDateDateTime/${DATE}`,
    'DueDate',
  ),
  term(['BT-10 buyer reference', 'text'], `${AGREEMENT}/BuyerReference`, 'BuyerReference'),
  term(
    ['BT-11 project reference', 'identifier'],
    `${AGREEMENT}/SpecifiedProcuringProject{Name~Project reference}/ID`,
    'ProjectReference/ID',
  ),
  term(
    ['BT-12 contract reference', 'identifier'],
    `${AGREEMENT}/ContractReferencedDocument/IssuerAssignedID`,
    'ContractDocumentReference/ID',
  ),
  term(
    ['BT-13 purchase order reference', 'identifier'],
    `${AGREEMENT}/BuyerOrderReferencedDocument/IssuerAssignedID`,
    'OrderReference/ID',
  ),
  term(
    ['BT-14 sales order reference', 'identifier'],
    `${AGREEMENT}/SellerOrderReferencedDocument/IssuerAssignedID`,
    'OrderReference/SalesOrderID',
  ),
  term(
    ['BT-15 receiving advice reference', 'identifier'],
    `${DELIVERY}/ReceivingAdviceReferencedDocument/IssuerAssignedID`,
    'ReceiptDocumentReference/ID',
  ),
  term(
    ['BT-16 despatch advice reference', 'identifier'],
    `${DELIVERY}/DespatchAdviceReferencedDocument/IssuerAssignedID`,
    'DespatchDocumentReference/ID',
  ),
  term(
    ['BT-17 tender or lot reference', 'identifier'],
    `${AGREEMENT}/AdditionalReferencedDocument[TypeCode=50]/IssuerAssignedID`,
    'OriginatorDocumentReference/ID',
  ),
  term(
    ['BT-18 invoiced object identifier', 'identifier'],
    `${AGREEMENT}/AdditionalReferencedDocument[TypeCode=130]/IssuerAssignedID`,
    'AdditionalDocumentReference[DocumentTypeCode=130]/ID',
    {
      scheme: { codes: 'object-schemes', isRequired: false, cii: '../ReferenceTypeCode', ubl: '@schemeID' },
    },
  ),
  term(
    ['BT-19 buyer accounting reference', 'text'],
    `${SETTLEMENT}/ReceivableSpecifiedTradeAccountingAccount/ID`,
    'AccountingCost',
  ),
  term(
    ['BT-20 payment terms', 'text'],
    `${SETTLEMENT}/SpecifiedTradePaymentTerms/Description`,
    'PaymentTerms/Note',
  ),
  group(
    'BG-1 invoice note',
    { cii: `${DOCUMENT}/IncludedNote*`, ubl: 'cbc:Note*' },
    [
      // UBL has no element for the code: `ubl-writer.ts` writes it into the note.
      term(['BT-21 invoice note subject code', 'code'], 'SubjectCode', '@subject', {
        codes: 'note-subjects',
      }),
      term(['BT-22 invoice note', 'text'], 'Content', '.', REQUIRED),
    ],
    LIST,
  ),
  group('BG-2 process control', { cii: 'rsm:ExchangedDocumentContext', ubl: '' }, [
    term(
      ['BT-23 business process type', 'text'],
      'BusinessProcessSpecifiedDocumentContextParameter/ID',
      'ProfileID',
    ),
    // Set by the profile.
    term(
      ['BT-24 specification identifier', 'identifier'],
      'GuidelineSpecifiedDocumentContextParameter/ID',
      'CustomizationID',
    ),
  ]),
  group(
    'BG-3 preceding invoice reference',
    {
      cii: `${SETTLEMENT}/InvoiceReferencedDocument*`,
      ubl: 'BillingReference*/InvoiceDocumentReference',
    },
    [
      term(['BT-25 preceding invoice reference', 'identifier'], 'IssuerAssignedID', 'ID', REQUIRED),
      term(
        ['BT-26 preceding invoice issue date', 'date'],
        'FormattedIssueDateTime/qdt:DateTimeString[@format=102]',
        'IssueDate',
      ),
    ],
    LIST,
  ),
  group(
    'BG-24 additional supporting documents',
    {
      cii: `${AGREEMENT}/AdditionalReferencedDocument*[TypeCode=916]`,
      ubl: 'AdditionalDocumentReference*',
    },
    [
      term(['BT-122 supporting document reference', 'identifier'], 'IssuerAssignedID', 'ID', REQUIRED),
      term(['BT-123 supporting document description', 'text'], 'Name', 'DocumentDescription'),
      term(['BT-124 external document location', 'text'], 'URIID', 'Attachment/ExternalReference/URI'),
    ],
    LIST,
  ),
];

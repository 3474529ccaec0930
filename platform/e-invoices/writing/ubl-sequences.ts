import { sequencesOf } from '../xml/finish.ts';

const PARTY =
  'EndpointID PartyIdentification PartyName PostalAddress PartyTaxScheme PartyLegalEntity Contact';
const ADDRESS = 'StreetName AdditionalStreetName CityName PostalZone CountrySubentity AddressLine Country';
const TAX_CATEGORY = 'ID Percent TaxExemptionReasonCode TaxExemptionReason TaxScheme';
const DOCUMENT_REFERENCE = 'ID IssueDate DocumentTypeCode DocumentDescription Attachment';
const LINE =
  'ID Note InvoicedQuantity CreditedQuantity LineExtensionAmount AccountingCost InvoicePeriod OrderLineReference DocumentReference AllowanceCharge Item Price';
const END =
  'AccountingSupplierParty AccountingCustomerParty PayeeParty TaxRepresentativeParty Delivery PaymentMeans PaymentTerms AllowanceCharge TaxTotal LegalMonetaryTotal';

/** Order of the children in the UBL 2.1 schema. */
export const UBL_SEQUENCES = sequencesOf({
  Invoice: `CustomizationID ProfileID ID IssueDate DueDate InvoiceTypeCode Note TaxPointDate DocumentCurrencyCode TaxCurrencyCode AccountingCost BuyerReference InvoicePeriod OrderReference BillingReference DespatchDocumentReference ReceiptDocumentReference OriginatorDocumentReference ContractDocumentReference AdditionalDocumentReference ProjectReference ${END} InvoiceLine`,
  CreditNote: `CustomizationID ProfileID ID IssueDate TaxPointDate CreditNoteTypeCode Note DocumentCurrencyCode TaxCurrencyCode AccountingCost BuyerReference InvoicePeriod OrderReference BillingReference DespatchDocumentReference ReceiptDocumentReference ContractDocumentReference AdditionalDocumentReference OriginatorDocumentReference ${END} CreditNoteLine`,
  InvoicePeriod: 'StartDate EndDate DescriptionCode',
  OrderReference: 'ID SalesOrderID',
  AdditionalDocumentReference: DOCUMENT_REFERENCE,
  InvoiceDocumentReference: DOCUMENT_REFERENCE,
  DocumentReference: DOCUMENT_REFERENCE,
  Party: PARTY,
  PayeeParty: PARTY,
  TaxRepresentativeParty: PARTY,
  PostalAddress: ADDRESS,
  Address: ADDRESS,
  PartyTaxScheme: 'CompanyID TaxScheme',
  PartyLegalEntity: 'RegistrationName CompanyID CompanyLegalForm',
  Contact: 'Name Telephone ElectronicMail',
  Delivery: 'ActualDeliveryDate DeliveryLocation DeliveryParty',
  DeliveryLocation: 'ID Address',
  PaymentMeans: 'PaymentMeansCode PaymentDueDate PaymentID CardAccount PayeeFinancialAccount PaymentMandate',
  CardAccount: 'PrimaryAccountNumberID NetworkID HolderName',
  PayeeFinancialAccount: 'ID Name FinancialInstitutionBranch',
  PaymentMandate: 'ID PayerFinancialAccount',
  AllowanceCharge:
    'ChargeIndicator AllowanceChargeReasonCode AllowanceChargeReason MultiplierFactorNumeric Amount BaseAmount TaxCategory',
  TaxCategory: TAX_CATEGORY,
  ClassifiedTaxCategory: TAX_CATEGORY,
  TaxTotal: 'TaxAmount TaxSubtotal',
  TaxSubtotal: 'TaxableAmount TaxAmount TaxCategory',
  LegalMonetaryTotal:
    'LineExtensionAmount TaxExclusiveAmount TaxInclusiveAmount AllowanceTotalAmount ChargeTotalAmount PrepaidAmount PayableRoundingAmount PayableAmount',
  InvoiceLine: LINE,
  CreditNoteLine: LINE,
  Item: 'Description Name BuyersItemIdentification SellersItemIdentification StandardItemIdentification OriginCountry CommodityClassification ClassifiedTaxCategory AdditionalItemProperty',
  AdditionalItemProperty: 'Name Value',
  Price: 'PriceAmount BaseQuantity AllowanceCharge',
});

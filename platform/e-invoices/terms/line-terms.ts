import { allowancesOrCharges } from './amount-terms.ts';
import { DATE, TRANSACTION } from './cii-paths.ts';
import { group, LIST, REQUIRED, term } from './term.ts';

const SETTLEMENT = 'SpecifiedLineTradeSettlement';
const NET_PRICE = 'NetPriceProductTradePrice';
const GROSS_PRICE = 'GrossPriceProductTradePrice';
const DISCOUNT = {
  cii: `${GROSS_PRICE}/AppliedTradeAllowanceCharge{ChargeIndicator/udt:Indicator=false}`,
  ubl: 'AllowanceCharge{ChargeIndicator=false}',
};
/** Only for reading: a caller may repeat the base quantity of the net price. */
const GROSS_BASIS = (attribute: string) => ({
  otherCii: { path: `${GROSS_PRICE}/BasisQuantity${attribute}`, isFor: () => false },
});
const UNITS = { codes: 'units' } as const;

const PRICE = group(
  'BG-29 price details',
  { cii: 'SpecifiedLineTradeAgreement', ubl: 'Price' },
  [
    term(['BT-146 item net price', 'unit-price'], `${NET_PRICE}/ChargeAmount`, 'PriceAmount', REQUIRED),
    term(
      ['BT-147 item price discount', 'unit-price'],
      `${DISCOUNT.cii}/ActualAmount`,
      `${DISCOUNT.ubl}/Amount`,
    ),
    term(
      ['BT-148 item gross price', 'unit-price'],
      `${GROSS_PRICE}/ChargeAmount`,
      `${DISCOUNT.ubl}/BaseAmount`,
    ),
    term(
      ['BT-149 item price base quantity', 'quantity'],
      `${NET_PRICE}/BasisQuantity`,
      'BaseQuantity',
      GROSS_BASIS(''),
    ),
    term(
      ['BT-150 item price base quantity unit of measure code', 'code'],
      `${NET_PRICE}/BasisQuantity/@unitCode`,
      'BaseQuantity/@unitCode',
      { ...UNITS, ...GROSS_BASIS('/@unitCode') },
    ),
  ],
  REQUIRED,
);

const VAT = group(
  'BG-30 line VAT information',
  {
    cii: `${SETTLEMENT}/ApplicableTradeTax{TypeCode=VAT}`,
    ubl: 'Item/ClassifiedTaxCategory{TaxScheme/ID=VAT}',
  },
  [
    term(['BT-151 invoiced item VAT category code', 'code'], 'CategoryCode', 'ID', {
      ...REQUIRED,
      codes: 'vat-categories',
    }),
    term(['BT-152 invoiced item VAT rate', 'percentage'], 'RateApplicablePercent', 'Percent'),
  ],
  REQUIRED,
);

const ITEM = group(
  'BG-31 item information',
  { cii: 'SpecifiedTradeProduct', ubl: 'Item' },
  [
    term(['BT-153 item name', 'text'], 'Name', 'Name', REQUIRED),
    term(['BT-154 item description', 'text'], 'Description', 'Description'),
    term(
      ["BT-155 item seller's identifier", 'identifier'],
      'SellerAssignedID',
      'SellersItemIdentification/ID',
    ),
    term(["BT-156 item buyer's identifier", 'identifier'], 'BuyerAssignedID', 'BuyersItemIdentification/ID'),
    term(['BT-157 item standard identifier', 'identifier'], 'GlobalID', 'StandardItemIdentification/ID', {
      scheme: { codes: 'identifier-schemes', isRequired: true, cii: '@schemeID', ubl: '@schemeID' },
    }),
    term(
      ['BT-158 item classification identifier', 'identifier'],
      'DesignatedProductClassification*/ClassCode',
      'CommodityClassification*/ItemClassificationCode',
      {
        ...LIST,
        scheme: { codes: 'item-classification-schemes', isRequired: true, cii: '@listID', ubl: '@listID' },
      },
    ),
    term(
      ['BT-159 item country of origin', 'code'],
      'OriginTradeCountry/ID',
      'OriginCountry/IdentificationCode',
      { codes: 'countries' },
    ),
    group(
      'BG-32 item attributes',
      { cii: 'ApplicableProductCharacteristic*', ubl: 'AdditionalItemProperty*' },
      [
        term(['BT-160 item attribute name', 'text'], 'Description', 'Name', REQUIRED),
        term(['BT-161 item attribute value', 'text'], 'Value', 'Value', REQUIRED),
      ],
      LIST,
    ),
  ],
  REQUIRED,
);

export const LINE_GROUP = group(
  'BG-25 invoice line',
  { cii: `${TRANSACTION}/IncludedSupplyChainTradeLineItem*`, ubl: 'InvoiceLine*' },
  [
    term(
      ['BT-126 invoice line identifier', 'identifier'],
      'AssociatedDocumentLineDocument/LineID',
      'ID',
      REQUIRED,
    ),
    term(['BT-127 invoice line note', 'text'], 'AssociatedDocumentLineDocument/IncludedNote/Content', 'Note'),
    term(
      ['BT-128 invoice line object identifier', 'identifier'],
      `${SETTLEMENT}/AdditionalReferencedDocument[TypeCode=130]/IssuerAssignedID`,
      'DocumentReference[DocumentTypeCode=130]/ID',
      {
        scheme: { codes: 'object-schemes', isRequired: false, cii: '../ReferenceTypeCode', ubl: '@schemeID' },
      },
    ),
    term(
      ['BT-129 invoiced quantity', 'quantity'],
      'SpecifiedLineTradeDelivery/BilledQuantity',
      'InvoicedQuantity',
      REQUIRED,
    ),
    term(
      ['BT-130 invoiced quantity unit of measure code', 'code'],
      'SpecifiedLineTradeDelivery/BilledQuantity/@unitCode',
      'InvoicedQuantity/@unitCode',
      { ...REQUIRED, ...UNITS },
    ),
    term(
      ['BT-131 invoice line net amount', 'amount'],
      `${SETTLEMENT}/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount`,
      'LineExtensionAmount',
      REQUIRED,
    ),
    term(
      ['BT-132 referenced purchase order line reference', 'identifier'],
      'SpecifiedLineTradeAgreement/BuyerOrderReferencedDocument/LineID',
      'OrderLineReference/LineID',
    ),
    term(
      ['BT-133 invoice line buyer accounting reference', 'text'],
      `${SETTLEMENT}/ReceivableSpecifiedTradeAccountingAccount/ID`,
      'AccountingCost',
    ),
    group(
      'BG-26 invoice line period',
      { cii: `${SETTLEMENT}/BillingSpecifiedPeriod`, ubl: 'InvoicePeriod' },
      [
        term(['BT-134 invoice line period start date', 'date'], `StartDateTime/${DATE}`, 'StartDate'),
        term(['BT-135 invoice line period end date', 'date'], `EndDateTime/${DATE}`, 'EndDate'),
      ],
    ),
    allowancesOrCharges({
      title: 'BG-27 invoice line allowances',
      of: 'invoice line allowance',
      isCharge: false,
      cii: SETTLEMENT,
      numbers: [136, 137, 138, 139, 140],
    }),
    allowancesOrCharges({
      title: 'BG-28 invoice line charges',
      of: 'invoice line charge',
      isCharge: true,
      cii: SETTLEMENT,
      numbers: [141, 142, 143, 144, 145],
    }),
    PRICE,
    VAT,
    ITEM,
  ],
  { isRequired: true, isList: true },
);

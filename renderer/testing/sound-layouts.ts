import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import { pngPixel } from './files/png.ts';

const item = (index: number) => ({
  name: `Part ${index}: bracket, zinc-plated, with screws`,
  quantity: index % 7,
  price: index * 1.25,
});
const data = (count: number, note: string) => ({
  company: { name: 'Example Ltd', street: '1 Long Road', city: 'Zürich' },
  customer: {
    name: count % 2 === 0 ? 'Ada Byron' : 'A very long name of a customer & sons, limited partnership',
  },
  number: `2026-${count}`,
  date: '2026-11-20',
  items: Array.from({ length: count }, (_, index) => item(index + 1)),
  note,
});

/** Data for every layout: zero, one, several and many items; empty and long notes. */
export const LAYOUT_DATA = [
  data(0, ''),
  data(1, 'Thank you.'),
  data(12, 'word '.repeat(80)),
  data(70, '<b>&'),
];

const rows = '{{#each items}}<tr><td>{{name}}<td>{{quantity}}<td>{{price}}</tr>{{/each}}';
const table = `<table><thead><tr><th>Item<th>Count<th>Price</thead><tbody>${rows}</tbody></table>`;
const list = '{{#each items}}<li>{{name}}</li>{{/each}}';
const address = '<address>{{customer.name}}<br>{{company.street}}<br>{{company.city}}</address>';
const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 90 30'><path fill='#123' d='M0 0H90V30'/></svg>`;
const embedded = `data:image/svg+xml,${encodeURIComponent(svg)}`;
const head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{number}}</title></head>';

/** Faultless templates with different structures. */
export const LAYOUTS: Readonly<Record<string, Partial<RevisionContent>>> = {
  invoice: {
    html: `${head}<body>${address}<h1>{{number}}</h1>${table}<p>{{note}}`,
    css: 'table{width:100%;border-collapse:collapse}td{border-bottom:1px solid #ccc}',
  },
  letter: {
    html: `<p>{{company.name}}</p>${address}<p>{{formatDate date "long"}}<p>Dear {{customer.name}},<p>{{note}}`,
    css: 'body{font:11pt/1.5 serif;margin:0}',
  },
  'drawing first': {
    html: `<svg viewBox="0 0 1000 200" style="width:60mm"><rect width="1000" height="200"/></svg><h1>{{number}}</h1>${table}`,
  },
  'hidden sprite': {
    html: `<svg width="0" height="0" style="position:absolute"><symbol id="a" viewBox="0 0 9 9"><path d="M0 0H9V9"/></symbol></svg><p><svg width="20" height="20"><use href="#a"/></svg>{{company.name}}${table}`,
  },
  'bar code label': {
    html: '<style>@page{size:100mm 60mm;margin:4mm}body{margin:0}</style>{{{barCode number "code128"}}}<p>{{customer.name}}',
  },
  'QR code alone': {
    html: '<style>@page{size:50mm 50mm;margin:5mm}body{margin:0}</style>{{{qrCode number}}}',
  },
  'landscape certificate': {
    html: '<style>@page{size:a4 landscape;margin:0}body{margin:0}div{height:180mm;border:5mm double #886;text-align:center}</style><div><h1>{{customer.name}}</h1></div>',
  },
  'two columns': {
    html: `<h1>{{number}}</h1><div style="columns:2;column-gap:1cm"><p>{{note}}<ol>${list}</ol></div>`,
  },
  'grid of cards': {
    html: '<div class="g">{{#each items}}<section><h2>{{quantity}}</h2><p>{{name}}</section>{{/each}}</div>',
    css: '.g{display:grid;grid-template-columns:repeat(3,1fr);gap:4mm}section{border:1px solid;break-inside:avoid}',
  },
  'flex head': {
    html: `<header><b>{{company.name}}</b><span>{{number}}</span></header>${table}`,
    css: 'header{display:flex;justify-content:space-between;background:linear-gradient(90deg,#eee,#fff)}',
  },
  floats: {
    html: `<aside style="float:right;width:40mm;border:1px solid">{{number}}</aside><p>{{note}}</p><ul>${list}</ul>`,
  },
  'cover page': {
    html: `<div style="height:200mm;background:#024"></div><section style="break-before:page">${table}</section>`,
  },
  'page for each item': {
    html: '<h1>{{number}}</h1>{{#each items}}<section style="break-before:page"><h2>{{name}}</h2></section>{{/each}}',
  },
  'kept rows': {
    html: `<h1>{{number}}</h1>${table}`,
    css: 'tr{break-inside:avoid}thead{display:table-header-group}',
  },
  'kept sections': {
    html: '<h1>{{number}}</h1>{{#each items}}<div style="break-inside:avoid"><h3>{{name}}</h3><p>{{price}}</div>{{/each}}',
  },
  'clamped note': {
    html: '<p class="n">{{note}}',
    css: '.n{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}',
  },
  'embedded images': {
    html: `<img src="${embedded}" style="width:30mm"><img src="data:image/png;base64,${pngPixel()}" alt="">${table}`,
  },
  'images of styles': {
    html: `<h1>{{number}}</h1>${table}`,
    css: `h1{background:url("${embedded}") no-repeat;padding-left:10mm}td::before{content:"\\2022 "}`,
  },
  'declared font': {
    html: '<p>{{number}}<p>{{note}}',
    css: '@font-face{font-family:Local;src:local("Nothing")}body{font-family:Local, sans-serif}',
  },
  'generic fonts': {
    html: `<h1>{{number}}</h1><code>{{number}}</code>${table}`,
    css: 'body{font:10pt system-ui, Unknown}code{font-family:monospace}',
  },
  form: {
    html: '<form name="body"><input name="id" value="{{number}}"><label><input type="checkbox" checked name="style">{{customer.name}}</label><textarea name="children">{{note}}</textarea></form>',
  },
  'data of scripts': {
    html: `<script type="application/ld+json">{"id":"{{number}}"}</script>${table}<noscript>{{number}}</noscript>`,
  },
  'text about code': {
    html: '<pre>&lt;script src="a.js"> url(b.png) [object Object] background: url(c.png)</pre><!-- <img src="d.png"> --><p>{{number}}',
  },
  links: {
    html: `<a href="/relative">{{number}}</a> <a href="https://example.com/a.png">x</a> <a href="mailto:a@example.com">y</a><ul>${list}</ul>`,
  },
  'optional parts': {
    html: `{{#if missing}}<p>{{missing}}</p>{{/if}}{{default other "-"}}{{#each items}}{{name}} {{else}}none{{/each}}{{#unless note}}empty{{/unless}}`,
  },
  'scaled and turned': {
    html: `<div style="transform:rotate(-3deg) scale(.9)"><h1>{{number}}</h1></div><div style="zoom:.8">${table}</div>`,
  },
  'right-to-left letter': {
    html: `<html dir="rtl" lang="he"><body><h1>חשבונית {{number}}</h1>${table}<ol>${list}</ol></body></html>`,
    css: 'table{width:100%}',
  },
  'fixed letterhead': {
    html: `<div class="top">{{company.name}}</div><div class="side">{{number}}</div><p>{{note}}</p>${table}`,
    css: '.top{position:fixed;top:0;left:0;right:0;border-bottom:1px solid}.side{position:fixed;left:-200mm}',
  },
  'nested tables': {
    html: `<table width="100%" cellpadding="0"><tr><td width="60%">${table}<td valign="top"><table border="1"><tr><td>{{number}}<td>{{date}}</table></table>`,
  },
  'header and footer': {
    html: `<h1>{{number}}</h1>${table}`,
    defaultOptions: {
      header: { enabled: true, height: '15mm', content: '<p>{{company.name}}</p>' },
      footer: { enabled: true, content: '<p style="font-size:9px">{{page}} / {{pages}}</p>' },
    },
  },
};

import { BorderStyle, type IBorderOptions } from 'docx';
import { COLOR, srgbOf } from './colors.ts';

/** Word limits lengths to 22 inches; here in twentieths of a point and in CSS pixels. */
const MAX_TWIPS = 31_680;
export const MAX_SIDE = 2112;

export const SIDES = ['top', 'right', 'bottom', 'left'] as const;

/** Converts CSS pixels to twentieths of a point, the unit of lengths in DOCX. */
export function twips(pixels: number): number {
  return Math.min(MAX_TWIPS, Math.max(-MAX_TWIPS, Math.round(pixels * 15)));
}

/** Looks up a name chosen by the document, without inherited properties such as `constructor`. */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Converts CSS pixels to half-points, the unit of font sizes; between 1 and 400 points. */
export function halfPoints(pixels: number): number {
  return Math.min(800, Math.max(2, Math.round(pixels * 1.5)));
}

/** Parses a computed length such as `12.5px`; 0 for a keyword. */
export function pixels(length: string): number {
  const value = Number.parseFloat(length);
  return Number.isFinite(value) ? value : 0;
}

/**
 * Converts a computed color to `RRGGBB`, blending transparency with white. Undefined if there is no color or it is
 * unknown.
 */
export function hexColour(colour: string, opacityAround = 1): string | undefined {
  const { rgb, alpha } = srgbOf(colour) ?? { rgb: [], alpha: 0 };
  const opacity = alpha * opacityAround;
  if (opacity === 0) return undefined;
  const channel = (value: number) =>
    Math.round(Math.min(255, Math.max(0, value)) * opacity + 255 * (1 - opacity))
      .toString(16)
      .padStart(2, '0');
  return rgb.map(channel).join('').toUpperCase();
}

/** Number of leading characters searched for a gradient and its first color; an embedded image can be much longer. */
export const MAX_GRADIENT = 300;

type Background = 'background-color' | 'background-image' | 'background-clip';

/** Returns the color of a background (a gradient's first color). Undefined for a background that only text shows. */
export function fillOf(style: Readonly<Record<Background, string>>): string | undefined {
  return style['background-clip'].includes('text') ? undefined : fillBehind(style);
}

/** Like `fillOf`, but also for a background that only text shows. */
export function fillBehind(style: Readonly<Record<Background, string>>): string | undefined {
  const [gradient = ''] = /gradient\(.*/s.exec(style['background-image'].slice(0, MAX_GRADIENT)) ?? [];
  const [first = ''] = COLOR.exec(gradient) ?? [];
  return hexColour(first) ?? hexColour(style['background-color']);
}

const BORDER_STYLES: Readonly<Record<string, (typeof BorderStyle)[keyof typeof BorderStyle]>> = {
  dashed: BorderStyle.DASHED,
  dotted: BorderStyle.DOTTED,
  double: BorderStyle.DOUBLE,
};

/** Returns a DOCX border, in eighths of a point. Undefined for one that is not drawn. */
export function borderOf(width: string, style: string, colour: string): IBorderOptions | undefined {
  const size = pixels(width);
  const color = hexColour(colour);
  if (size === 0 || style === 'none' || style === 'hidden' || color === undefined) return undefined;
  const eighths = Math.min(96, Math.max(2, Math.round(size * 6)));
  return { style: BORDER_STYLES[style] ?? BorderStyle.SINGLE, size: eighths, color };
}

/** Removes characters that XML cannot contain. */
export function xmlText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what XML 1.0 forbids
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}

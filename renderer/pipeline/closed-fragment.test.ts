import { describe, expect, it } from 'vitest';
import { closedFragment } from './closed-fragment.ts';

describe('a piece of html', () => {
  it.each([
    'Page 1 of 2',
    '<p>Page</p><img src="x"><br><hr>',
    '<ul><li>a<li>b</ul><table><tr><td>x</table>',
    '<style>p > b { color: red }</style><b>x</b>',
    '<!-- a --><svg><path d="M0 0"/></svg>',
    '1 < 2 & 3',
    '</div></p>',
    '',
  ])('that leaves nothing open stays as it is: %s', (html) => expect(closedFragment(html)).toBe(html));

  it.each([
    ['<p>Page', '</p>'],
    ['<div><b>Page', '</b></div>'],
    ['<table><tr><td>Page', '</td></tr></tbody></table>'],
    ['<ul><li>a<li>b', '</li></ul>'],
    ['<p>a<p>b', '</p>'],
    ['<a href=x>X<br>', '</a>'],
    ['<div>a</span>', '</div>'],
    ['<style>p { color: red }', '</style>'],
    ['<div><textarea>x', '</textarea></div>'],
    ['<title>x', '</title>'],
    ['<b>x</b><!-- y', '-->'],
    ['<p title="x', '"></p>'],
    ["<p title='x", "'></p>"],
    ['<p class', '></p>'],
    ['<p', '></p>'],
  ])('has what it leaves open closed: %s', (html, end) => expect(closedFragment(html)).toBe(html + end));
});

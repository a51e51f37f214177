/** XML is well-formed whatever its texts are, and a reader gets them back. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hocrDocument } from '../../src/basics/formats/hocr.ts';
import { xmlDocument, xmlElement, xmlSection } from '../../src/basics/formats/xml.ts';
import { junitReport } from '../../src/basics/report/junit.ts';
import { elementsOf, readXml, textIn } from '../support/xml.ts';

/** Any sequence of units, also halves of pairs, with what means something in XML more often than by chance. */
const written = fc
  .array(
    fc.oneof(
      fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '<',
        '>',
        '&',
        '"',
        "'",
        ']]>',
        ']',
        '\r',
        '\n',
        '\t',
        '\r\n',
        '\0',
        '\u000b',
        '\u007f',
        '\u0085',
      ),
      fc.constantFrom(
        '\ud800',
        '\udfff',
        '\ufffe',
        '\uffff',
        '\u{1fffe}',
        '\u{10ffff}',
        '<![CDATA[',
        '&#0;',
        '&#xfffe;',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** The characters of XML 1.0 (§2.2), told by their numbers. */
const isCharacter = (code: number): boolean =>
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  code >= 0x10000;
const expected = (text: string): string =>
  Array.from(text, (character) => (isCharacter(character.codePointAt(0) ?? 0) ? character : '\ufffd')).join('');

describe('Whatever text', () => {
  it('goes between tags, into a section or an attribute, a strict reader gets it back, with U+FFFD for what XML does not have', () => {
    fc.assert(
      fc.property(written, written, written, (first, second, third) => {
        const root = readXml(
          xmlDocument(
            xmlElement('a', [xmlElement('b', [first]), xmlElement('b', [xmlSection(second)])], { 'x:c': third }),
          ),
        );
        expect(elementsOf(root, 'b').map(textIn)).toEqual([expected(first), expected(second)]);
        expect(root.attributes).toEqual({ 'x:c': expected(third) });
      }),
      { numRuns: 2000 },
    );
  });

  it('stands beside elements in the same way', () => {
    fc.assert(
      fc.property(written, written, (before, after) => {
        const root = readXml(xmlDocument(xmlElement('a', [before, xmlSection(after), xmlElement('b')])));
        expect(textIn(root)).toBe(expected(before) + expected(after));
      }),
    );
  });

  it('is in a report for JUnit, it is there', () => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 9, maxLength: 9 }), (texts) => {
        const [name = '', section = '', about = '', rule = '', kind = '', words = '', error = '', skipped = ''] = texts;
        const one = { about, name, rule };
        const cases = [one, { ...one, flaws: [{ kind, words }] }, { ...one, error }, { ...one, skipped }];
        const root = readXml(junitReport({ name, sections: [{ name: section, cases }] }));
        expect(root.attributes).toEqual({ name: expected(name) });
        expect(elementsOf(root, 'testsuite')[0]?.attributes).toMatchObject({ name: expected(section), tests: '4' });
        expect(elementsOf(root, 'testcase').map(({ attributes }) => attributes)).toEqual(
          Array.from({ length: 4 }, () => ({ classname: expected(about), name: expected(name) })),
        );
        expect(elementsOf(root, 'failure').map(({ attributes }) => attributes)).toEqual([
          { type: expected(kind), message: expected(`${rule}\n${words}`) },
        ]);
        expect(elementsOf(root, 'error')[0]?.attributes['message']).toBe(expected(`${rule}\n${error}`));
        expect(elementsOf(root, 'skipped')[0]?.attributes['message']).toBe(expected(skipped));
      }),
    );
  });

  it('is on a page, its hOCR has it', () => {
    fc.assert(
      fc.property(written, fc.array(fc.array(written)), (title, lines) => {
        const box = [1, 2, 3, 4] as const;
        const marked = lines.map((words) => ({ box, words: words.map((text) => ({ text, box })) }));
        const root = readXml(hocrDocument({ title, width: 9, height: 9, confidence: 90, lines: marked }));
        expect(elementsOf(root, 'title').map(textIn)).toEqual([expected(title)]);
        const words = elementsOf(root, 'span').filter(({ attributes }) => attributes['class'] === 'ocrx_word');
        expect(words.map(textIn)).toEqual(lines.flat().map(expected));
      }),
    );
  });
});

describe('A name', () => {
  it.each(['', 'a b', 'a>', '1a', '-a', 'a/', 'a"', 'a:', ':a', 'a:b:c', 'xml\n', '\uffff', 'a\ud800'])(
    'that is none of XML throws, of an element and of an attribute: %j',
    (name) => {
      expect(() => xmlElement(name)).toThrow('is not a name of XML');
      expect(() => xmlElement('a', [], { [name]: '' })).toThrow('is not a name of XML');
    },
  );
});

describe('The strict reader of these tests', () => {
  it.each([
    ...['<a>', '<a></b>', '<a/><b/>', '<a/>x', 'x<a/>', '<a>&</a>', '<a>&b;</a>', '<a>&#0;</a>', '<a>&#xfffe;</a>'],
    ...['<a>]]></a>', '<a b="<"/>', '<a b="&"/>', '<a b=c/>', '<a b="1" b="2"/>', '<a b="1"c="2"/>', '<a>\u0001</a>'],
    ...['<a>\ufffe</a>', '<a>\ud800</a>', '<1/>', '<a><![CDATA[</a>', '', '<a b="\uffff"/>', '<a>< b/></a>'],
  ])('takes no %j', (document) => {
    expect(() => readXml(document)).toThrow();
  });
});

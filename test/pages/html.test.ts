// The template tag that builds every page.
import { test } from 'tap';
import { Html, escapeHtml, html } from '../../src/pages/html.ts';

await test('text is escaped, in elements and in attributes of either quote', async (t) => {
  t.equal(escapeHtml(`<a href="x" title='y'>&amp;`), '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;');
  t.equal(html`<p title="${'"'}">${'<b>'}</p>`.text, '<p title="&quot;">&lt;b&gt;</p>');
});

await test('markup of the tag stays markup, lists are joined, undefined is nothing', async (t) => {
  const items = ['a', '<'].map((item) => html`<b>${item}</b>`);
  const written = html`${items}${undefined}${[1, ['&', new Html('<br />')]]}`;
  t.equal(written.text, '<b>a</b><b>&lt;</b>1&amp;<br />');
});

await test('what HTML does not allow, or what turns the direction of writing, is replaced', async (t) => {
  t.equal(escapeHtml('a\0b\u001bc\u0085d\u202ee\u2066\t\n'), 'a\ufffdb\ufffdc\ufffdd\ufffde\ufffd\t\n');
});

// The value of a YAML text that came over HTTP.
import { needsThread, runInThread } from './thread.ts';
import { YamlText } from './yaml-text.ts';

/** Throws an error that names every error of the text. */
export async function readYaml(text: string): Promise<unknown> {
  const { value, errors } = needsThread(text)
    ? await runInThread<ReturnType<typeof readValue>>({ name: 'readValue', argument: text }, text.length)
    : readValue(text);
  if (errors.length > 0)
    throw new Error(errors.map(({ line, column, message }) => `body:${line}:${column} ${message}`).join('\n'));
  return value;
}

export const readValue = (text: string) => new YamlText(text, 'body').read();

// The value of a YAML text that came over HTTP.
import { readText } from './thread.ts';
import { YamlText } from './yaml-text.ts';

/** Throws an error that names every error of the text. */
export async function readYaml(text: string): Promise<unknown> {
  const { value, errors } = await readText('readValue', readValue, text, text.length);
  if (errors.length > 0)
    throw new Error(errors.map(({ line, column, message }) => `body:${line}:${column} ${message}`).join('\n'));
  return value;
}

export const readValue = (text: string) => new YamlText(text, 'body').read();

// What only the service can know, and what stands for it in the requests, which depend on the seed alone: a sandbox's own tokens and
// the names that the service picks.

export interface Learned {
  /** The bytes with what is known put in. */
  fill(bytes: Buffer): Buffer;
  /** @param body of an answer 201 */
  note(body: Buffer): void;
}

const placeholder = /wlu_sandbox_(?:one|two)_[a-z]+|sandbox-made/;
const most = 100;

export function createLearned(): Learned {
  const tokens = new Map<string, string>();
  const made: string[] = [];
  return {
    fill(bytes) {
      const text = bytes.toString('latin1');
      if (!placeholder.test(text)) return bytes;
      const filled = text.replace(
        placeholder,
        (word) => (word === 'sandbox-made' ? made.shift() : tokens.get(word)) ?? word,
      );
      return Buffer.from(filled, 'latin1');
    },
    note(body) {
      const text = body.toString('utf8');
      if (!text.includes('"wlu_sandbox_')) return;
      const { name, users } = JSON.parse(text) as {
        name?: string;
        users?: readonly { username: string; token: string }[];
      };
      if (name === undefined || users === undefined) return;
      if (name.startsWith('sandbox-') && made.length < most) made.push(name);
      for (const { username, token } of users) tokens.set(`wlu_sandbox_${name}_${username}`, token);
    },
  };
}

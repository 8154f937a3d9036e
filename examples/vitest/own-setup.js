import { start } from 'weblate-understudy';

export default async function () {
  const api = await start({ anonymous: 'strict', log: (line) => process.stderr.write(`${line}\n`) });
  process.env.UNDERSTUDY_URL = api.url;
  return () => api.close();
}

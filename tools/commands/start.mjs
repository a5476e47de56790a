// The last step of `npm start`: serve the built site until Ctrl-C.
import { Failure } from '../lib/failure.mjs';
import { DIST } from '../lib/paths.mjs';
import { serve } from '../serve.mjs';

export async function startServer() {
  const port = Number(process.env.PORT ?? 5173);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Failure(`PORT must be a whole number from 0 to 65535, not "${process.env.PORT}"`);
  const host = process.env.HOST || '127.0.0.1';
  try {
    const { url } = await serve({ root: DIST, port, host });
    console.log(`\nHeadlights is at ${url}\nCtrl-C ends it.`);
  } catch (error) {
    if (error.code === 'EADDRINUSE')
      throw new Failure(`port ${port} is in use; choose another: PORT=${port + 1} npm start`);
    if (error.code === 'EACCES')
      throw new Failure(`port ${port} may not be opened by this user; try PORT=5173`);
    throw error;
  }
}

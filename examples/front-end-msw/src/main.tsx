/** The page. In development its requests never leave it; in production they go to the repository. */
import { createRoot } from 'react-dom/client';
import { ObjectCard } from './object-card.tsx';
import { createRepository } from './repository.ts';

const address = import.meta.env.VITE_REPOSITORY as string; // from .env

// A build leaves out what this condition guards, with MSW and Atoll.
if (import.meta.env.DEV) {
  const { startMocking } = await import('./mocking.ts');
  await startMocking(address);
}

const id = Number(new URLSearchParams(location.search).get('object') ?? 1);
const page = document.getElementById('page');
if (page !== null) createRoot(page).render(<ObjectCard id={id} repository={createRepository(address)} />);

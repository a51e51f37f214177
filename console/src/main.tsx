/** Starts the console in the page. */
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries.ts';
import { router } from './app/routes.tsx';
import { awaitArrival } from './ui/arrival.ts';
import './ui/theme.css';
import './ui/ui.css';

const element = document.getElementById('console');
if (element === null) throw new Error('The page has no element with the id "console".');
router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
  if (pathChanged && fromLocation !== undefined) awaitArrival();
});
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

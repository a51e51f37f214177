/** The address that the stories ask. Nobody is there: MSW answers. */
export const address = 'https://repository.example.org';

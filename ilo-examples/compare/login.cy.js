Cypress.Commands.add('login', (user, password) => {
  cy.visit('/login');
  cy.get('[name=email]').type(user);
  cy.get('[name=password]').type(password);
  cy.get('[type=submit]').click();
  return cy.get('.dashboard h1, .error-banner').should('contain.text', user).invoke('text');
});

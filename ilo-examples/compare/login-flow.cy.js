Cypress.Commands.add('login', (user, password) => {
  cy.visit('/login');
  cy.get('[name=email]').type(user);
  cy.get('[name=password]').type(password);
  cy.get('[type=submit]').click();
  cy.get('.dashboard').should('be.visible');
  return cy.url();
});

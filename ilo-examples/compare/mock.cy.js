Cypress.Commands.add('mock', () => {
  cy.intercept({ url: '**/api/user', times: 1 }, { body: { name: 'test' } });
  cy.visit('/profile');
  cy.get('#name').should('have.text', 'test');
  cy.get('#reload').click();
  cy.get('#name').should('have.text', 'Ada Thorsen');
  return cy.wrap('mocked: test\nreal: Ada Thorsen');
});

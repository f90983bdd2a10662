Cypress.Commands.add('projects', (url) => {
  cy.visit(url);
  cy.get('h1').should('have.text', 'Projects');
  cy.get('#projects li').should('be.visible');
  cy.get('.error-banner').should('not.exist');
  return cy.get('#projects strong').then((found) => {
    cy.get('#status').should('have.text', `${found.length} projects`);
    return cy.wrap([...found].map((name) => name.textContent).join('\n'));
  });
});
